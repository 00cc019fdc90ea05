import type { DocumentInput, FileInput } from "./document.ts";

/**
 * A folder, a file, a glob (`docs/*.md`) or a web address (`https://…`); a list of files by their paths, whose ids
 * are their paths below the current folder; or documents at hand.
 */
export type IngestSource = string | readonly string[] | readonly (DocumentInput | FileInput)[];

/** How files are read. */
export interface ReadOptions {
  /** Password of encrypted files: one for all, or by id or glob of ids (`{ "contracts/*.pdf": "…" }`). */
  readonly password?: string | Readonly<Record<string, string>>;
  /** Of web pages, "main" takes the main content, "all" the navigation, page header and footer as well. Default "main". */
  readonly html?: "main" | "all";
  /** Largest file that is read, in bytes. Default 100 MiB. */
  readonly maxFileBytes?: number;
  /** Makes a document of each record of JSON, JSON lines and CSV files. Default: each file is one document. */
  readonly records?: RecordFields;
}

/** Which fields of a record make up its document; names reach into nested values by dots ("author.name"). */
export interface RecordFields {
  /** Fields that hold the text, in the order in which they are read. */
  readonly text: string | readonly string[];
  /** Default: the number of the record, from 1. */
  readonly id?: string;
  readonly title?: string;
  readonly uri?: string;
  /** Fields that become metadata. Default: all others that hold a text, a number, true, false or a list of these. */
  readonly metadata?: readonly string[];
}
