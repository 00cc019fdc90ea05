import { type DocumentInput, type FileInput, KonteksError } from "../spec/index.ts";
import { fingerprint } from "../util/hash.ts";
import { checkMetadata } from "./load/index.ts";
import { type PendingDocument, type Source, type SourceOptions, serialize, withMetadata } from "./pending.ts";
import { type Reading, readDocument } from "./read.ts";
import { pendingFiles } from "./source-files.ts";

/** Documents and files that the caller holds. */
export async function inputSource(
  inputs: readonly (DocumentInput | FileInput)[],
  options: SourceOptions,
): Promise<Source> {
  checkIds(inputs);
  const pending = await Promise.all(
    inputs.map((input) => (isFile(input) ? pendingBytes(input, options) : [pendingInput(input, options)])),
  );
  const documents = pending.flat();
  return { name: "api", documents, hasLeft: () => false };
}

function isFile(input: DocumentInput | FileInput): input is FileInput {
  return "bytes" in input;
}

function checkIds(inputs: readonly { readonly id: string }[]): void {
  const ids = new Set<string>();
  for (const { id } of inputs) {
    if (ids.has(id)) {
      throw new KonteksError("wrong-option", `Two documents are called "${id}". Give each an id of its own.`);
    }
    ids.add(id);
  }
}

async function pendingBytes(
  { id, bytes, uri, metadata }: FileInput,
  options: SourceOptions,
): Promise<readonly PendingDocument[]> {
  if (typeof id !== "string" || id.trim() === "" || !(bytes instanceof Uint8Array)) {
    throw new KonteksError(
      "wrong-option",
      `A file at hand needs an id and bytes (a Uint8Array). Give it both.`,
      {
        facts: { id },
      },
    );
  }
  const own = checkMetadata(metadata, id);
  const file = { id, path: id, size: bytes.length, uri: uri ?? id, read: async () => bytes };
  return (await pendingFiles(file, { ...options, metadata: { ...own, ...options.metadata } })).documents;
}

function pendingInput(input: DocumentInput, options: SourceOptions): PendingDocument {
  const reading: Reading = { input, metadata: options.metadata };
  return {
    id: input.id,
    input,
    size: typeof input.text === "string" ? input.text.length : 0,
    open: async () => ({
      contentHash: withMetadata(fingerprint([serialize(input)]), options.metadata),
      read: () => readDocument(reading),
      // Vectors and contexts that are given stay in this process.
      ...(input.chunks === undefined && { reading }),
    }),
  };
}
