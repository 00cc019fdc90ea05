import type {
  Block,
  Document,
  DocumentFormat,
  Heading,
  Metadata,
  Page,
  RecordFields,
} from "../../spec/index.ts";

/** A file that was found, before it is read. */
export interface FoundFile {
  /** Absolute path; of what lies inside another file, the path of that file. */
  readonly path: string;
  /** Path below the root, with `/` between parts on every system. */
  readonly id: string;
  /** Bytes; 0 when not known yet. */
  readonly size: number;
  /** Where a person opens it. Default: the path. */
  readonly uri?: string;
  /** Gives the bytes of what is no file of its own: a member of an archive, an attachment, a web page. */
  readonly read?: (options: LoadOptions) => Promise<Uint8Array>;
  /** How many files it is inside of. Default 0. */
  readonly depth?: number;
  /** What its server says that it is. */
  readonly format?: DocumentFormat;
  /** What is known of it from where it was found. */
  readonly facts?: FileFacts;
}

/** Facts about a file that do not stand in it. */
export interface FileFacts {
  readonly title?: string;
  readonly uri?: string;
  readonly metadata?: Metadata;
}

/** A file inside another one. */
export interface Member {
  readonly name: string;
  readonly size: number;
  readonly facts?: FileFacts;
  read(): Promise<Uint8Array>;
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

export interface CsvOptions {
  /** Whether the first row names the columns. Default: told from the rows. */
  readonly header?: boolean;
  /** Default: `sep=` in the file, else whichever of comma, semicolon, tab and bar parts the rows evenly. */
  readonly delimiter?: string;
}

export interface LoadOptions {
  readonly csv?: CsvOptions;
  readonly html?: HtmlOptions;
  readonly pdf?: PdfOptions;
  /** Which fields of records make documents of their own. */
  readonly records?: RecordFields;
  /** Largest file that is read, in bytes. Default 100 MiB. */
  readonly maxBytes?: number;
  /**
   * Read formats whose readers may loop or fill the memory in a process of its own, which is ended when it does.
   * Default true.
   */
  readonly apart?: boolean;
  /** Milliseconds after which such a process is ended. Default 120,000. */
  readonly parseLimitMs?: number;
  readonly signal?: AbortSignal;
}

/** What a format's loader makes of a file. */
export interface Parsed {
  readonly text: string;
  readonly format: DocumentFormat;
  /** The title the file itself gives (property, `<title>`), if it does. */
  readonly title?: string;
  /** What is set largest above the first heading, where the format tells sizes. */
  readonly cover?: string;
  /** The language the file itself names, as it names it. */
  readonly language?: string;
  readonly metadata: Metadata;
  readonly outline: readonly Heading[];
  readonly blocks: readonly Block[];
  readonly pages?: readonly Page[];
  readonly warnings: readonly string[];
}
