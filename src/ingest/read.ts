import type { Document, DocumentInput, Metadata } from "../spec/index.ts";
import { documentFromInput, type FoundFile, type LoadOptions, loadFile } from "./load/index.ts";

/** What a document is read from: the bytes of a file, or what the caller holds. */
export type Reading = {
  /** What it is called in the index, where that is not what it was found as. */
  readonly id?: string;
  /** Added to what the document says of itself. */
  readonly metadata: Metadata | undefined;
} & (
  | { readonly file: FoundFile; readonly bytes: Uint8Array; readonly options: LoadOptions }
  | { readonly input: DocumentInput }
);

export async function readDocument(reading: Reading): Promise<Document> {
  const { id, metadata } = reading;
  const document =
    "input" in reading
      ? await documentFromInput(reading.input)
      : (await loadFile(reading.file, { ...reading.options, bytes: reading.bytes })).document;
  return {
    ...document,
    ...(id !== undefined && { id }),
    ...(metadata && { metadata: { ...document.metadata, ...metadata } }),
  };
}
