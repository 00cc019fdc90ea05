import { type ContextStore, KonteksError } from "../../spec/index.ts";

/** What stands for a context file that is not there and may not be made: nothing is kept, nothing can be. */
export function emptyContextStore(path: string): ContextStore {
  const refuse = (): never => {
    throw new KonteksError(
      "read-only",
      `Nothing can be kept in "${path}": the index was opened to be read.`,
      {
        facts: { path },
      },
    );
  };
  return {
    path,
    get: () => undefined,
    find: () => undefined,
    put: refuse,
    putAll: (contexts) => (contexts.length === 0 ? undefined : refuse()),
    use: refuse,
    stale: () => [],
    recipes: () => [],
    contexts: () => [],
    batches: () => [],
    putBatch: refuse,
    deleteBatch: refuse,
    usageOf: () => undefined,
    addUsage: refuse,
    getVector: () => undefined,
    putVectors: (entries) => (entries.length === 0 ? undefined : refuse()),
    deleteDocument: refuse,
    count: () => ({ contexts: 0, vectors: 0 }),
    close: () => {},
  };
}
