import { join } from "node:path";
import { nodeSqlite } from "../../src/stores/sqlite/node-sqlite.ts";
import { type OpenEngine, peer, peerVersion, type SpeedQuery } from "./engine.ts";
import { wordsOf } from "./words.ts";

export const openEngine: OpenEngine = async (folder, peers) => {
  const vec = await peer<{ getLoadablePath(): string }>(peers, "sqlite-vec");
  const path = join(folder, "fts5.sqlite");
  const open = () => {
    const db = new (nodeSqlite().DatabaseSync)(path, { allowExtension: true });
    db.loadExtension(vec.getLoadablePath());
    return db;
  };
  let db = open();
  const groupOf = ({ group }: SpeedQuery) => (group === undefined ? "" : ` AND grp = ${group}`);
  const ids = (rows: unknown[]) => (rows as { id: string }[]).map(({ id }) => id);
  return {
    settings: `FTS5 with the porter tokenizer, OR of the words, bm25(); ${peerVersion(peers, "sqlite-vec")}: vec0, float32, cosine, exact`,
    async build(documents) {
      db.exec(`
        PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL;
        CREATE TABLE rows (id TEXT PRIMARY KEY, row INTEGER NOT NULL) WITHOUT ROWID;
        CREATE VIRTUAL TABLE texts USING fts5(title, body, id UNINDEXED, grp UNINDEXED, tokenize = 'porter unicode61');
        BEGIN;
      `);
      const known = db.prepare("INSERT INTO rows (id, row) VALUES (?, ?)");
      const text = db.prepare("INSERT INTO texts (rowid, title, body, id, grp) VALUES (?, ?, ?, ?, ?)");
      let vector: ReturnType<typeof db.prepare> | undefined;
      let row = 0;
      for await (const { id, title, group, chunks, vectors } of documents) {
        for (const [ordinal, chunk] of chunks.entries()) {
          const own = vectors[ordinal] ?? new Float32Array(0);
          if (!vector) {
            db.exec(
              `CREATE VIRTUAL TABLE near USING vec0(grp INTEGER, v float[${own.length}] distance_metric=cosine, +id TEXT)`,
            );
            vector = db.prepare("INSERT INTO near (rowid, grp, v, id) VALUES (?, ?, ?, ?)");
          }
          row++;
          known.run(`${id}#${ordinal}`, row);
          text.run(row, title, chunk, `${id}#${ordinal}`, group);
          vector.run(
            BigInt(row),
            BigInt(group),
            new Uint8Array(own.buffer, own.byteOffset, own.byteLength),
            `${id}#${ordinal}`,
          );
        }
      }
      db.exec("COMMIT");
      db.close();
    },
    async open() {
      db = open();
    },
    async text(query, limit) {
      const match = wordsOf(query.text)
        .map((word) => `"${word.replaceAll('"', '""')}"`)
        .join(" OR ");
      const sql = `SELECT id FROM texts WHERE texts MATCH ?${groupOf(query)} ORDER BY rank LIMIT ?`;
      return ids(db.prepare(sql).all(match, limit));
    },
    async vector(query, limit) {
      const vector = new Uint8Array(Float32Array.from(query.vector).buffer);
      const sql = `SELECT id FROM near WHERE v MATCH ? AND k = ?${groupOf(query)} ORDER BY distance`;
      return ids(db.prepare(sql).all(vector, limit));
    },
    async upsert(documents) {
      db.exec("BEGIN");
      for (const { id, title, group, chunks, vectors } of documents) {
        for (const [ordinal, chunk] of chunks.entries()) {
          const name = `${id}#${ordinal}`;
          const { row } = db.prepare("SELECT row FROM rows WHERE id = ?").get(name) as { row: number };
          const own = vectors[ordinal] ?? new Float32Array(0);
          const bytes = new Uint8Array(own.buffer, own.byteOffset, own.byteLength);
          db.prepare("UPDATE texts SET title = ?, body = ?, grp = ? WHERE rowid = ?").run(
            title,
            chunk,
            group,
            row,
          );
          db.prepare("UPDATE near SET v = ?, grp = ? WHERE rowid = ?").run(bytes, BigInt(group), BigInt(row));
        }
      }
      db.exec("COMMIT");
    },
    async close() {
      db.close();
    },
  };
};
