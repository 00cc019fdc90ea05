import { createWriteStream } from "node:fs";
import { mkdir } from "node:fs/promises";
import { dirname, join } from "node:path";
import { pipeline } from "node:stream/promises";
import { KonteksError } from "../../spec/index.ts";
import type { Archive } from "./archive.ts";
import { chosenFiles } from "./model-files.ts";
import { openTar } from "./tar.ts";
import { openZip } from "./zip.ts";

/** Endings of archives that a model can be taken from. */
const ENDING = /\.(?:zip|tar|tgz|tar\.gz)$/i;

/** "all-MiniLM-L6-v2.tar.gz" → "all-MiniLM-L6-v2". */
export function withoutEnding(name: string): string {
  return name.replace(ENDING, "");
}

/**
 * Unpacks a model from a .zip, .tar or .tar.gz, in which it may stand below one folder; gives back the path of its ONNX
 * file. Errors: "unreadable" when it is no such archive, ends early, or holds no model.
 */
export async function unpackModel(path: string, to: string): Promise<string> {
  const archive = await readable(path, () => (/\.zip$/i.test(path) ? openZip(path) : openTar(path)));
  try {
    return await readable(path, () => unpack(archive, path, to));
  } finally {
    archive.close();
  }
}

async function unpack(archive: Archive, source: string, to: string): Promise<string> {
  const paths: string[] = [];
  for await (const file of archive.files()) paths.push(file.path);
  const top = commonFolder(paths);
  const below = (path: string) => path.slice(top.length);
  const { modelFile, files } = chosenFiles(paths.map(below), source);
  for await (const { path, content } of archive.files()) {
    if (!files.includes(below(path))) continue;
    const target = join(to, below(path));
    await mkdir(dirname(target), { recursive: true });
    await pipeline(await content(), createWriteStream(target));
  }
  return modelFile;
}

async function readable<T>(path: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (cause) {
    if (cause instanceof KonteksError || isFromDisk(cause)) throw cause;
    const why = cause instanceof Error ? cause.message : String(cause);
    throw new KonteksError(
      "unreadable",
      `${path} is neither a folder nor a whole .zip, .tar or .tar.gz archive (${why}). Give one of them.`,
      { facts: { archive: path }, cause },
    );
  }
}

/** No space, no rights: not the archive's fault. */
function isFromDisk(error: unknown): boolean {
  return /^E(?:NOSPC|ACCES|PERM|ROFS|DQUOT)$/.test(String((error as { code?: unknown } | null)?.code));
}

/** "model/" when everything stands in one folder of that name. */
function commonFolder(paths: readonly string[]): string {
  const [first = ""] = paths;
  const top = first.slice(0, first.indexOf("/") + 1);
  return top !== "" && top !== "onnx/" && paths.every((path) => path.startsWith(top)) ? top : "";
}
