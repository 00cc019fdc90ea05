import { stat } from "node:fs/promises";
import { resolve } from "node:path";
import { type DocumentInput, type FileInput, type IngestSource, KonteksError } from "../spec/index.ts";
import { isWebAddress } from "./load/index.ts";
import type { Source, SourceOptions } from "./pending.ts";
import { fileSource, folderSource, globSource, listSource, webSource } from "./source-files.ts";
import { inputSource } from "./source-inputs.ts";

/** Lists what there is to read. Of files only those that hold other documents (archives, mails) are opened for it. */
export async function openSource(source: IngestSource, options: SourceOptions = {}): Promise<Source> {
  if (typeof source !== "string") {
    return isListOfPaths(source) ? listSource(source, options) : inputSource(source, options);
  }
  if (source.trim() === "") {
    throw new KonteksError(
      "wrong-option",
      'The path is empty. Name a file or folder ("." is the current one).',
    );
  }
  if (isWebAddress(source)) return webSource(source, options);
  const path = resolve(source);
  const kind = await kindOf(path);
  if (kind === "nothing" && isGlob(source)) return globSource(source, options);
  if (kind === "nothing") throw /^[a-z][a-z\d+.-]+:\/\//i.test(source) ? notFetched(source) : notFound(path);
  return kind === "folder" ? folderSource(path, options) : fileSource(path, options);
}

function isListOfPaths(
  source: readonly string[] | readonly (DocumentInput | FileInput)[],
): source is readonly string[] {
  return source.length > 0 && source.every((item) => typeof item === "string");
}

async function kindOf(path: string): Promise<"folder" | "file" | "nothing"> {
  try {
    return (await stat(path)).isDirectory() ? "folder" : "file";
  } catch {
    return "nothing";
  }
}

function isGlob(source: string): boolean {
  return /[*?[\]{}]/.test(source);
}

function notFetched(source: string): KonteksError {
  return new KonteksError(
    "wrong-option",
    `"${source}" is not fetched: only addresses that begin with http:// or https:// are. Save it and ingest the file.`,
    { facts: { url: source } },
  );
}

function notFound(path: string): KonteksError {
  return new KonteksError("not-found", `There is no file or folder "${path}". Check the path.`, {
    facts: { path },
  });
}
