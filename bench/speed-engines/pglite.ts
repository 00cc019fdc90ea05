import { join } from "node:path";
import { type OpenEngine, peer, peerVersion, type SpeedQuery } from "./engine.ts";
import { wordsOf } from "./words.ts";

interface Database {
  exec(sql: string): Promise<unknown>;
  query(
    sql: string,
    values?: readonly unknown[],
  ): Promise<{ readonly rows: readonly { readonly id: string }[] }>;
  close(): Promise<void>;
}
interface Pglite {
  readonly PGlite: { create(options: object): Promise<Database> };
}

/** Candidates of the graph; 1,000 is the most that pgvector takes. */
const EFFORTS = [100, 150, 200, 300, 400, 600, 800, 1_000];

export const openEngine: OpenEngine = async (folder, peers) => {
  const { PGlite } = await peer<Pglite>(peers, "@electric-sql/pglite");
  const { vector } = await peer<{ vector: object }>(peers, "@electric-sql/pglite-pgvector");
  const open = () => PGlite.create({ dataDir: join(folder, "pg"), extensions: { vector } });
  let db = await open();
  const ids = async (sql: string, values: readonly unknown[]) =>
    (await db.query(sql, values)).rows.map(({ id }) => id);
  const groupOf = ({ group }: SpeedQuery) => (group === undefined ? "" : ` AND grp = ${group}`);
  return {
    settings: `${peerVersion(peers, "@electric-sql/pglite")} with pgvector: tsvector (english) with GIN and ts_rank_cd, OR of the words; HNSW with cosine, iterative scan`,
    async build(documents) {
      let made = false;
      for await (const { id, title, group, chunks, vectors } of documents) {
        if (!made) {
          await db.exec(`
            CREATE EXTENSION IF NOT EXISTS vector;
            CREATE TABLE chunks (id text PRIMARY KEY, grp int, body text, v vector(${vectors[0]?.length ?? 0}),
              words tsvector GENERATED ALWAYS AS (to_tsvector('english', body)) STORED);
          `);
          made = true;
        }
        await db.exec("BEGIN");
        for (const [ordinal, chunk] of chunks.entries()) {
          const body = `${title}\n${chunk}`.replaceAll("\0", "");
          const own = `[${(vectors[ordinal] ?? new Float32Array(0)).join(",")}]`;
          await db.query("INSERT INTO chunks (id, grp, body, v) VALUES ($1, $2, $3, $4)", [
            `${id}#${ordinal}`,
            group,
            body,
            own,
          ]);
        }
        await db.exec("COMMIT");
      }
      await db.exec(`
        CREATE INDEX ON chunks USING gin (words);
        CREATE INDEX ON chunks (grp);
        SET maintenance_work_mem = '1GB';
        CREATE INDEX ON chunks USING hnsw (v vector_cosine_ops);
        ANALYZE chunks;
      `);
      await db.close();
    },
    async open() {
      db = await open();
      await db.exec(`SET hnsw.ef_search = ${EFFORTS[0]}; SET hnsw.iterative_scan = relaxed_order`);
    },
    text(query, limit) {
      const asked = wordsOf(query.text).join(" | ");
      const sql = `SELECT id FROM chunks, to_tsquery('english', $1) q WHERE words @@ q${groupOf(query)}
        ORDER BY ts_rank_cd(words, q) DESC LIMIT $2`;
      return ids(sql, [asked, limit]);
    },
    vector(query, limit) {
      const sql = `SELECT id FROM chunks WHERE true${groupOf(query)} ORDER BY v <=> $1 LIMIT $2`;
      return ids(sql, [`[${query.vector.join(",")}]`, limit]);
    },
    async upsert(documents) {
      await db.exec("BEGIN");
      for (const { id, title, group, chunks, vectors } of documents) {
        for (const [ordinal, chunk] of chunks.entries()) {
          await db.query("UPDATE chunks SET grp = $2, body = $3, v = $4 WHERE id = $1", [
            `${id}#${ordinal}`,
            group,
            `${title}\n${chunk}`.replaceAll("\0", ""),
            `[${(vectors[ordinal] ?? new Float32Array(0)).join(",")}]`,
          ]);
        }
      }
      await db.exec("COMMIT");
    },
    efforts: EFFORTS.map((size) => `ef_search ${size}`),
    async useEffort(place) {
      await db.exec(`SET hnsw.ef_search = ${EFFORTS[place]}`);
    },
    close: () => db.close(),
  };
};
