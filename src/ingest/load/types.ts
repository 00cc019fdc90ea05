import type { Block, Document, DocumentFormat, Heading, Metadata, Page } from "../../spec/index.ts";

/** A file that was found, before it is read. */
export interface FoundFile {
  /** Absolute path. */
  readonly path: string;
  /** Path below the root, with `/` between parts on every system. */
  readonly id: string;
  /** Bytes. */
  readonly size: number;
}

export interface LoadedFile {
  readonly document: Document;
  /** SHA-256 of the file's bytes. */
  readonly contentHash: string;
}

export interface HtmlOptions {
  /** "main": the main content, without navigation, page header and footer. "all": the whole body. Default "main". */
  readonly content?: "main" | "all";
}

export interface PdfOptions {
  /** Password of an encrypted file. */
  readonly password?: string;
  /** Milliseconds after which the remaining pages are left unread, with a warning. Default 60,000. */
  readonly timeLimitMs?: number;
}

export interface LoadOptions {
  readonly html?: HtmlOptions;
  readonly pdf?: PdfOptions;
  /** Largest file that is read, in bytes. Default 100 MiB. */
  readonly maxBytes?: number;
  readonly signal?: AbortSignal;
}

/** What a format's loader makes of a file. */
export interface Parsed {
  readonly text: string;
  readonly format: DocumentFormat;
  /** The title the file itself gives (property, `<title>`), if it does. */
  readonly title?: string;
  /** The language the file itself names, as it names it. */
  readonly language?: string;
  readonly metadata: Metadata;
  readonly outline: readonly Heading[];
  readonly blocks: readonly Block[];
  readonly pages?: readonly Page[];
  readonly warnings: readonly string[];
}
