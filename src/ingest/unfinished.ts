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

/** What an answer from half of the documents has to say. */
export function unfinishedNotes(sources: readonly string[]): readonly string[] {
  return sources.map(
    (source) =>
      `The ingest of ${source} was stopped before its end (or still runs): some of it may be missing. To go on: konteks ingest ${quoteArgument(source)}`,
  );
}
