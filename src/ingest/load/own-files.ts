import { open } from "node:fs/promises";
import { extname } from "node:path";

/** Enough to hold what a file of ours begins with. Bytes. */
const HEAD = 2_048;

/** By ending: what files of an evaluation begin with. Its questions and results are about the documents, and name their answers. */
const BEGINNINGS: Readonly<Record<string, RegExp>> = {
  ".jsonl":
    /^\s*\{\s*"(?:konteks":"evaluation"|id":\s*"[^"]+",\s*"text":\s*"(?:[^"\\]|\\.)*",\s*"gold":\s*\[)/,
  ".json": /^\s*\{\s*"konteks": "(?:ladder|sweep|answers)"/,
  ".html": /<meta name="generator" content="konteks eval">/,
};

/** Whether a file below a folder was written by an evaluation. A folder with them is found by its documents alone. */
export async function isOwnFile(path: string): Promise<boolean> {
  const beginning = BEGINNINGS[extname(path).toLowerCase()];
  return beginning?.test(await headOf(path)) ?? false;
}

/** Empty when it cannot be read: that is told where it is read for good. */
async function headOf(path: string): Promise<string> {
  const file = await open(path).catch(() => undefined);
  try {
    const { buffer, bytesRead } = (await file?.read(Buffer.alloc(HEAD), 0, HEAD, 0)) ?? {
      buffer: Buffer.alloc(0),
      bytesRead: 0,
    };
    return buffer.toString("utf8", 0, bytesRead);
  } catch {
    return "";
  } finally {
    await file?.close();
  }
}
