import type { Store } from "../../spec/index.ts";

/** Opens a new, empty store. Called once or more by each case; cases close what they open. */
export type MakeStore = () => Promise<Store>;

/** One promise of the store contract. `run` rejects when the store does not keep it. */
export interface StoreCase {
  readonly name: string;
  readonly run: (makeStore: MakeStore) => Promise<void>;
}

/** A case over one store. */
export function storeCase(name: string, check: (store: Store) => Promise<void>): StoreCase {
  return {
    name,
    async run(makeStore) {
      const store = await makeStore();
      try {
        await check(store);
      } finally {
        await store.close();
      }
    },
  };
}
