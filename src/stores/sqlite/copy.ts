import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Store } from "../../spec/index.ts";
import type { Connection } from "./connection.ts";

/** Bytes up to which an index is copied: about a second of work for each half. */
const LARGEST = 1_000_000_000;

/** Runs `work` over a copy of the file as it is now, in a folder for temporary files that only this user reads. */
export async function onCopy<T>(
  db: Connection,
  open: (path: string) => Promise<Store>,
  work: (copy: Store) => Promise<T>,
): Promise<T | undefined> {
  if (bytesOf(db) > LARGEST) return undefined;
  const folder = mkdtempSync(join(tmpdir(), "konteks-copy-"));
  try {
    const path = join(folder, "index.sqlite");
    db.run("VACUUM INTO ?", path);
    const copy = await open(path);
    return await work(copy).finally(() => copy.close());
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function bytesOf(db: Connection): number {
  const { bytes } = db.get<{ bytes: number }>(
    "SELECT page_count * page_size AS bytes FROM pragma_page_count, pragma_page_size",
  ) ?? { bytes: 0 };
  return bytes;
}
