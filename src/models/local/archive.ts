import type { Readable } from "node:stream";

/** A file in an archive; its content can be read while it is the current one. */
export interface ArchiveFile {
  readonly path: string;
  /** Read to its end, or not at all. */
  content(): Promise<Readable>;
}

/** An archive whose files can be gone through more than once; folders and links are left out. */
export interface Archive {
  files(): AsyncIterable<ArchiveFile>;
  close(): void;
}
