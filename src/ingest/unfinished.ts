import type { Store } from "../spec/index.ts";
import { quoteArgument } from "../util/quote-argument.ts";

const SETTING = "unfinished";

/** Sources (folders, files) of which an ingest was begun and has not come to its end. */
export async function unfinishedSources(store: Pick<Store, "readSetting">): Promise<readonly string[]> {
  return JSON.parse((await store.readSetting(SETTING)) ?? "[]");
}

/** Remembers in the index, before the first write, that a source is being read; the function returned ends that. */
export async function beginSource(store: Store, source: string): Promise<() => Promise<void>> {
  const write = async (isThere: boolean) => {
    const others = (await unfinishedSources(store)).filter((other) => other !== source);
    await store.writeSetting(SETTING, JSON.stringify(isThere ? [...others, source] : others));
  };
  await write(true);
  return () => write(false);
}

/** The same for a source whose ingest was begun by an earlier run; undefined where none was. */
export async function stillBegun(store: Store, source: string): Promise<(() => Promise<void>) | undefined> {
  return (await unfinishedSources(store)).includes(source) ? beginSource(store, source) : undefined;
}

/** What an answer from half of the documents has to say. */
export function unfinishedNotes(sources: readonly string[]): readonly string[] {
  return sources.map(
    (source) =>
      `The ingest of ${source} was stopped before its end (or still runs): some of it may be missing. To go on: konteks ingest ${quoteArgument(source)}`,
  );
}
