import { sep } from "node:path";
import type { Store } from "../spec/index.ts";
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

/** What a result has to say of an index that is not whole; `byVector`: vectors had a part in it. */
export async function gapNotes(
  store: Pick<Store, "readSetting" | "pendingVectors" | "documentFrequencies">,
  byVector: boolean,
): Promise<readonly string[]> {
  const notes = unfinishedNotes(await unfinishedSources(store));
  const waiting = byVector ? (await store.pendingVectors([])).chunks : 0;
  return waiting === 0
    ? notes
    : [...notes, pendingNote(waiting, (await store.documentFrequencies([])).chunks)];
}

function pendingNote(waiting: number, chunks: number): string {
  const [have, are] = waiting === 1 ? ["has", "is"] : ["have", "are"];
  return (
    `${waiting} of ${chunks} ${chunks === 1 ? "chunk" : "chunks"} ${have} no vector yet and ${are} found by text alone. ` +
    "To finish the index: konteks repair"
  );
}

function unfinishedNotes(sources: readonly string[]): readonly string[] {
  return sources.map(
    (source) =>
      `The ingest of ${source} was stopped before its end (or still runs): some of it may be missing. To go on: konteks ingest ${quoteArgument(source)}`,
  );
}
