import type { Archive, ArchiveFile } from "./archive.ts";

/** Opens a .zip. Rejects what is none. */
export async function openZip(path: string): Promise<Archive> {
  const { openPromise } = await import("yauzl");
  const zip = await openPromise(path, { autoClose: false, lazyEntries: true });
  const found: ArchiveFile[] = [];
  for await (const entry of zip.eachEntry()) {
    if (entry.fileName.endsWith("/")) continue;
    found.push({ path: entry.fileName, content: () => zip.openReadStreamPromise(entry) });
  }
  return {
    async *files() {
      yield* found;
    },
    close: () => zip.close(),
  };
}
