/** What a file is, so that a database of another program is told apart from an index. */
export interface FileKind {
  /** `PRAGMA application_id`. */
  readonly applicationId: number;
  /** `PRAGMA user_version`; a file with a higher one was written by a newer konteks. */
  readonly version: number;
  readonly synchronous: "NORMAL" | "FULL";
  readonly schema: string;
  /** By version, what makes a file of it one of the next; each is harmless when it was done before. */
  readonly upgrades: Readonly<Record<number, string>>;
}

/**
 * `changes` names documents whose rows went or changed, so that other processes need not read all of them again
 * (changes-rows.ts); 0 stands for all.
 */
const CHANGES = `
  CREATE TABLE IF NOT EXISTS changes (number INTEGER PRIMARY KEY AUTOINCREMENT, document INTEGER NOT NULL);
`;

/** Chunks that are there without their vectors (pending-rows.ts). */
const PENDING = `
  CREATE TABLE IF NOT EXISTS pending (
    document INTEGER PRIMARY KEY, chunks INTEGER NOT NULL, data TEXT NOT NULL
  );
`;

/**
 * Rows (documents, texts, chunks, vectors, pending) are the truth. `segments` and `blocks` hold the lexical index (segment.ts):
 * a segment never changes; a document whose key is gone from `documents` counts as dead in it. Keys are never used twice.
 * `meta` holds the identity, settings, and what merging and large changes would leave behind if they ended now
 * (upkeep-rows.ts, staged-rows.ts).
 */
export const INDEX_FILE: FileKind = {
  applicationId: 0x6b746b78,
  // 2: shorter blocks (term-blocks.ts), compressed text, `changes`. Blocks and text of format 1 are read as they are.
  // 3: `pending`. An older version would take documents without vectors for finished.
  version: 3,
  synchronous: "NORMAL",
  schema: `
    CREATE TABLE meta (key TEXT PRIMARY KEY, value BLOB NOT NULL) WITHOUT ROWID;
    CREATE TABLE documents (
      key INTEGER PRIMARY KEY AUTOINCREMENT,
      id TEXT NOT NULL UNIQUE,
      language TEXT,
      characters INTEGER NOT NULL,
      chunks INTEGER NOT NULL,
      vectors INTEGER NOT NULL,
      llm INTEGER NOT NULL,
      structural INTEGER NOT NULL,
      failures INTEGER NOT NULL,
      summary TEXT NOT NULL,
      details TEXT NOT NULL
    );
    CREATE TABLE texts (
      document INTEGER NOT NULL, start INTEGER NOT NULL, text BLOB NOT NULL, PRIMARY KEY (document, start)
    );
    CREATE TABLE chunks (
      document INTEGER NOT NULL, ordinal INTEGER NOT NULL, start INTEGER NOT NULL, "end" INTEGER NOT NULL,
      data TEXT NOT NULL, PRIMARY KEY (document, ordinal)
    ) WITHOUT ROWID;
    CREATE TABLE vectors (document INTEGER PRIMARY KEY, dimensions INTEGER NOT NULL, data BLOB NOT NULL);
    CREATE TABLE fields (number INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE);
    CREATE TABLE segments (
      key INTEGER PRIMARY KEY AUTOINCREMENT,
      chunks INTEGER NOT NULL,
      documents BLOB NOT NULL,
      lengths BLOB NOT NULL,
      directory BLOB NOT NULL
    );
    CREATE TABLE blocks (key INTEGER PRIMARY KEY, data BLOB NOT NULL);
    ${CHANGES}
    ${PENDING}
  `,
  upgrades: { 1: CHANGES, 2: PENDING },
};

/** Paid work: contexts and vectors. Every commit reaches the disk before it returns. */
export const CONTEXT_FILE: FileKind = {
  applicationId: 0x6b746b63,
  version: 1,
  synchronous: "FULL",
  schema: `
    CREATE TABLE contexts (
      document TEXT NOT NULL, chunk TEXT NOT NULL, recipe TEXT NOT NULL, text BLOB NOT NULL, model TEXT NOT NULL,
      document_hash TEXT NOT NULL, created_at TEXT NOT NULL, PRIMARY KEY (document, chunk, recipe)
    ) WITHOUT ROWID;
    CREATE TABLE vectors (
      model TEXT NOT NULL, text TEXT NOT NULL, vector BLOB NOT NULL, PRIMARY KEY (model, text)
    );
  `,
  upgrades: {},
};
