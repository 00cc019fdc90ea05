import { sep } from "node:path";
import type { SearchMode, Store } from "../spec/index.ts";
import { quoteArgument } from "../util/quote-argument.ts";

const SETTING = "unfinished";

/** Sources (folders, files) of which an ingest was begun and has not come to its end. */
export async function unfinishedSources(store: Pick<Store, "readSetting">): Promise<readonly string[]> {
  return JSON.parse((await store.readSetting(SETTING)) ?? "[]");
}

/** Remembers in the index, before the first write, that a source is being read. */
export async function beginSource(store: Store, source: string): Promise<void> {
  const begun = await unfinishedSources(store);
  if (!begun.includes(source)) await store.writeSetting(SETTING, JSON.stringify([...begun, source]));
}

/** The source is whole in the index, and so is what lies below it. */
export async function endSource(store: Store, source: string): Promise<void> {
  const begun = await unfinishedSources(store);
  const left = begun.filter((other) => other !== source && !other.startsWith(source + sep));
  if (left.length < begun.length) await store.writeSetting(SETTING, JSON.stringify(left));
}

/** What a result has to say of an index that is not whole; mode "text": vectors had no part in it. */
export async function gapNotes(
  store: Pick<Store, "readSetting" | "pendingVectors" | "documentFrequencies">,
  mode: SearchMode,
): Promise<readonly string[]> {
  const notes = unfinishedNotes(await unfinishedSources(store));
  const waiting = mode === "text" ? 0 : (await store.pendingVectors([])).chunks;
  if (waiting === 0) return notes;
  const { chunks } = await store.documentFrequencies([]);
  const [have, are] = waiting === 1 ? ["has", "is"] : ["have", "are"];
  const found = mode === "vector" ? "cannot be found" : `${are} found by text alone`;
  return [
    ...notes,
    `${waiting} of ${chunks} ${chunks === 1 ? "chunk" : "chunks"} ${have} no vector yet and ${found}. ` +
      "To finish the index, unless an ingest is at it: konteks repair",
  ];
}

function unfinishedNotes(sources: readonly string[]): readonly string[] {
  return sources.map(
    (source) =>
      `The ingest of ${source} was stopped before its end (or still runs): some of it may be missing. To go on: konteks ingest ${quoteArgument(source)}`,
  );
}
