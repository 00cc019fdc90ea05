/** Values that metadata may hold; anything else is refused when a document comes in. */
export type MetadataValue = string | number | boolean | null | readonly string[] | readonly number[];

/** A document's own facts (front matter, file properties, the user's). Keys are free; filters name them. */
export type Metadata = Readonly<Record<string, MetadataValue>>;

/** `[start, end)` in UTF-16 units of the document's text. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

/** A passage of a document, with what a person needs to find it again. */
export interface SourcePlace extends Span {
  readonly documentId: string;
  readonly title: string;
  readonly uri: string;
  /** Headings that govern the passage, outermost first. */
  readonly headings: readonly string[];
  /** From 1, both included. */
  readonly lines: readonly [first: number, last: number];
  /** From 1, both included; only for documents with pages. */
  readonly pages?: readonly [first: number, last: number];
}

/** A heading of the document; it governs the text from `start` to the next heading of the same or a higher level. */
export interface Heading extends Span {
  /** 1 is the highest. */
  readonly level: number;
  /** Plain words of the heading, without markup. */
  readonly text: string;
}

/** Where a page begins. Pages run to the start of the next one. */
export interface Page {
  /** Number as printed by a viewer, from 1. */
  readonly number: number;
  readonly start: number;
}

export type BlockKind =
  | "heading"
  | "paragraph"
  | "list-item"
  | "table"
  | "code"
  /** A function, method, class or other named unit of source code. */
  | "definition"
  | "quote"
  | "html"
  /** Front matter and the like: kept in the text, never part of a chunk. */
  | "metadata";

/** A piece of structure: blocks are in order, do not overlap, and what lies between two of them is blank. */
export interface Block extends Span {
  readonly kind: BlockKind;
  /** Heading level, or nesting depth of a list item or definition; from 1. */
  readonly level?: number;
  /** Table only: the header rows (with the delimiter row), repeated for the index when the table is split. */
  readonly header?: Span;
  /** Table only: the rows below the header. Code: lines that belong together. A block is split only between parts where it can be. */
  readonly parts?: readonly Span[];
}

/** How a document was read. The text of the first five is the file's own; of the others it was written from what the file holds. */
export type DocumentFormat =
  | "markdown"
  | "text"
  | "code"
  | "csv"
  | "json"
  | "html"
  | "pdf"
  | "docx"
  | "xlsx"
  | "pptx"
  | "odt"
  | "ods"
  | "odp"
  | "rtf"
  | "epub"
  | "email"
  | "notebook";

/** A document as it was loaded. `text` is never changed afterwards; every offset points into it. */
export interface Document {
  /** Path below the ingested folder with `/` between parts, or the user's own id. */
  readonly id: string;
  readonly text: string;
  /** What a person calls it; never empty (file name when nothing better is known). */
  readonly title: string;
  /** Where a person opens it: an absolute path, a URL, or the id. */
  readonly uri: string;
  readonly format: DocumentFormat;
  /** BCP 47 primary tag ("en", "id", "vi", "zh", "ja", "th"); left out when unknown. */
  readonly language?: string;
  readonly metadata: Metadata;
  readonly outline: readonly Heading[];
  readonly blocks: readonly Block[];
  readonly pages?: readonly Page[];
  /** Lines a person should know about (decoding guessed, page without text, …). */
  readonly warnings?: readonly string[];
}

/** What a user hands in when the text is already at hand. */
export interface DocumentInput {
  readonly id: string;
  readonly text: string;
  readonly title?: string;
  readonly uri?: string;
  /** Default: told from the ending of `id`, else "text". */
  readonly format?: DocumentFormat;
  readonly language?: string;
  readonly metadata?: Metadata;
  /** Vectors of one's own, one list of windows for each chunk; only with `chunks`. */
  readonly chunks?: readonly ChunkInput[];
}

/** A file whose bytes are at hand (an upload, standard input): read as a file of this name would be. */
export interface FileInput {
  /** With the file's ending, which helps to tell its format. */
  readonly id: string;
  readonly bytes: Uint8Array;
  readonly uri?: string;
  readonly metadata?: Metadata;
}

/** A chunk cut by the user: offsets into `DocumentInput.text`, with vectors if the user embeds. */
export interface ChunkInput extends Span {
  readonly context?: string;
  /** One vector, or several windows of a long chunk. Lengths must equal the index's dimensions. */
  readonly vectors?: readonly (readonly number[] | Float32Array)[];
}
