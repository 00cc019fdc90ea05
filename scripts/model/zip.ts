import { buffer } from "node:stream/consumers";
import { openPromise } from "yauzl";

/** Entries of a ZIP file, by path: all that `wanted` accepts. Wheels and jars are ZIP files. */
export async function zipEntries(
  path: string,
  wanted: (path: string) => boolean,
): Promise<ReadonlyMap<string, Buffer>> {
  const zip = await openPromise(path);
  const files = new Map<string, Buffer>();
  for await (const entry of zip.eachEntry()) {
    if (wanted(entry.fileName))
      files.set(entry.fileName, await buffer(await zip.openReadStreamPromise(entry)));
  }
  return files;
}
