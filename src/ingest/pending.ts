import type { Document, DocumentInput, IngestOptions, Metadata } from "../spec/index.ts";
import { fingerprint } from "../util/hash.ts";
import type { Reading } from "./read.ts";

/** A document as it was found: whether it changed is told before it is parsed. */
export interface OpenedDocument {
  readonly contentHash: string;
  /** What it is read from and with; equal ones are read with equal success. Undefined: not known. */
  readonly readingKey?: string;
  read(): Promise<Document>;
  /** What `read` reads; undefined when only this process can. */
  readonly reading?: Reading;
}

/** A document that waits to be read. What it holds is in memory only between `open` and the end of `read`. */
export interface PendingDocument {
  readonly id: string;
  /** Where it is on disk; what is inside a file stands below that file. */
  readonly path?: string;
  /** The source that it belongs to, if not to the one that is ingested. */
  readonly source?: string;
  /** It is in the index from another place, which is gone: what says where it is must be written anew. */
  readonly moved?: true;
  readonly input?: DocumentInput;
  /** Bytes of its file, or about as many; 0 when not known. */
  readonly size: number;
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

/** The hash of what a document is made from: its content and what was added to it. */
export function withMetadata(hash: string, metadata: Metadata | undefined): string {
  return metadata && Object.keys(metadata).length > 0 ? fingerprint([hash, serialize(metadata)]) : hash;
}

/** JSON in which vectors count by their values, whatever kind of array holds them. */
export function serialize(value: unknown): string {
  return JSON.stringify(value, (_key, part) => (part instanceof Float32Array ? [...part] : part));
}
