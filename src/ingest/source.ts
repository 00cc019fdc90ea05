import { stat } from "node:fs/promises";
import { dirname, resolve } from "node:path";
import { type Document, type DocumentInput, KonteksError, type Metadata } from "../spec/index.ts";
import { fingerprint } from "../util/hash.ts";
import { documentFromInput, type FoundFile, hashFile, listFiles, loadFile } from "./load/index.ts";

/** A document that waits to be read: what it is called, how to tell whether it changed, and how to read it. */
export interface PendingDocument {
  readonly id: string;
  readonly input?: DocumentInput;
  contentHash(): Promise<string>;
  read(): Promise<Document>;
}

/** Everything an ingest was pointed at. */
export interface Source {
  /** Remembered with each document: the folder's absolute path, or "api". */
  readonly name: string;
  readonly documents: readonly PendingDocument[];
  /** Whether documents of this source that are not listed have gone and leave the index. */
  readonly complete: boolean;
}

export interface SourceOptions {
  readonly gitignore?: boolean | undefined;
  readonly metadata?: Metadata | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** Lists what there is to read; nothing is read yet. */
export async function openSource(
  source: string | readonly DocumentInput[],
  options: SourceOptions = {},
): Promise<Source> {
  if (typeof source !== "string") return inputSource(source, options);
  const path = resolve(source);
  return (await isFolder(path)) ? folderSource(path, options) : fileSource(path, options);
}

async function isFolder(path: string): Promise<boolean> {
  try {
    return (await stat(path)).isDirectory();
  } catch (cause) {
    throw new KonteksError("not-found", `There is no file or folder "${path}". Check the path.`, {
      facts: { path },
      cause,
    });
  }
}

async function folderSource(root: string, options: SourceOptions): Promise<Source> {
  const files = await listFiles(root, {
    ...(options.gitignore !== undefined && { gitignore: options.gitignore }),
    ...(options.signal && { signal: options.signal }),
  });
  if (files.length === 0) {
    throw new KonteksError(
      "empty-folder",
      `The folder "${root}" holds no file to read. Point at another folder, or check its .gitignore and .konteksignore.`,
      { facts: { path: root } },
    );
  }
  return { name: root, documents: files.map((file) => pendingFile(file, options)), complete: true };
}

async function fileSource(path: string, options: SourceOptions): Promise<Source> {
  const files = await listFiles(path, options.signal ? { signal: options.signal } : {});
  return { name: dirname(path), documents: files.map((file) => pendingFile(file, options)), complete: false };
}

function pendingFile(file: FoundFile, options: SourceOptions): PendingDocument {
  return {
    id: file.id,
    contentHash: async () => withMetadata(await hashFile(file), options.metadata),
    read: async () => addMetadata((await loadFile(file)).document, options.metadata),
  };
}

function inputSource(inputs: readonly DocumentInput[], options: SourceOptions): Source {
  const ids = new Set<string>();
  for (const { id } of inputs) {
    if (ids.has(id)) {
      throw new KonteksError("wrong-option", `Two documents are called "${id}". Give each an id of its own.`);
    }
    ids.add(id);
  }
  return { name: "api", documents: inputs.map((input) => pendingInput(input, options)), complete: false };
}

function pendingInput(input: DocumentInput, options: SourceOptions): PendingDocument {
  return {
    id: input.id,
    input,
    contentHash: async () => withMetadata(fingerprint([serialize(input)]), options.metadata),
    read: async () => addMetadata(await documentFromInput(input), options.metadata),
  };
}

function addMetadata(document: Document, metadata: Metadata | undefined): Document {
  return metadata ? { ...document, metadata: { ...document.metadata, ...metadata } } : document;
}

function withMetadata(hash: string, metadata: Metadata | undefined): string {
  return metadata ? fingerprint([hash, serialize(metadata)]) : hash;
}

/** JSON in which vectors count by their values, whatever kind of array holds them. */
function serialize(value: unknown): string {
  return JSON.stringify(value, (_key, part) => (part instanceof Float32Array ? [...part] : part));
}
