import { stat } from "node:fs/promises";
import { resolve } from "node:path";
import {
  type Document,
  type DocumentInput,
  type FileInput,
  type IngestOptions,
  type IngestSource,
  KonteksError,
} from "../spec/index.ts";
import { isWebAddress } from "./load/index.ts";
import { fileSource, folderSource, globSource, listSource, webSource } from "./source-files.ts";
import { inputSource } from "./source-inputs.ts";

/** A document as it was found: whether it changed is told before it is parsed. */
export interface OpenedDocument {
  readonly contentHash: string;
  read(): Promise<Document>;
}

/** A document that waits to be read. What it holds is in memory only between `open` and the end of `read`. */
export interface PendingDocument {
  readonly id: string;
  readonly input?: DocumentInput;
  open(): Promise<OpenedDocument>;
}

/** Everything an ingest was pointed at. */
export interface Source {
  /** Remembered with each document: the folder's absolute path, "web" or "api". */
  readonly name: string;
  readonly documents: readonly PendingDocument[];
  /** Whether a document that came from here earlier is no longer there, and leaves the index. */
  hasLeft(id: string): boolean;
}

export type SourceOptions = Pick<
  IngestOptions,
  "gitignore" | "metadata" | "signal" | "password" | "html" | "maxFileBytes" | "records"
>;

/** Lists what there is to read. Of files only those that hold other documents (archives, mails) are opened for it. */
export async function openSource(source: IngestSource, options: SourceOptions = {}): Promise<Source> {
  if (typeof source !== "string") {
    return isListOfPaths(source) ? listSource(source, options) : inputSource(source, options);
  }
  if (isWebAddress(source)) return webSource(source, options);
  const path = resolve(source);
  const kind = await kindOf(path);
  if (kind === "nothing" && isGlob(source)) return globSource(source, options);
  if (kind === "nothing") throw notFound(path);
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

function notFound(path: string): KonteksError {
  return new KonteksError("not-found", `There is no file or folder "${path}". Check the path.`, {
    facts: { path },
  });
}
