import { type IndexIdentity, KonteksError, type Store } from "../spec/index.ts";

/**
 * Refuses to search an index that another process has made anew with other settings since it was opened: the query would
 * be embedded and analysed unlike its chunks (invariants I3 and I7). What chunks are made of may change.
 */
export function sameIndex(store: Store, path: string): () => Promise<void> {
  let opened = store.readIdentity();
  // Told by the search that asks for it.
  opened.catch(() => {});
  return async () => {
    const [before, now] = [await opened, await store.readIdentity()];
    if (before === undefined) opened = Promise.resolve(now);
    else if (now && differs(before, now)) throw madeAnew(path, before, now);
  };
}

function differs(before: IndexIdentity, now: IndexIdentity): boolean {
  return before.embedding !== now.embedding || before.analyzer !== now.analyzer;
}

function madeAnew(path: string, before: IndexIdentity, now: IndexIdentity): KonteksError {
  const sides = (["embedding", "analyzer"] as const)
    .filter((key) => before[key] !== now[key])
    .map((key) => `${key}: it was opened with "${before[key]}" and now has "${now[key]}"`);
  return new KonteksError(
    "identity-mismatch",
    `The index in "${path}" was made anew with other settings (${sides.join("; ")}). Open it again; a server has to be started anew.`,
    { facts: { path, before, now } },
  );
}
