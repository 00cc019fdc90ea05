import { join } from "node:path";
import { type EmbeddedDocument, type OpenEngine, peer, peerVersion, type SpeedQuery } from "./engine.ts";

interface Query {
  where(sql: string): Query;
  select(columns: readonly string[]): Query;
  limit(count: number): Query;
  toArray(): Promise<readonly { readonly id: string }[]>;
}
interface VectorQuery extends Query {
  refineFactor(factor: number): VectorQuery;
  ef(size: number): VectorQuery;
}
interface Table {
  add(rows: readonly object[]): Promise<unknown>;
  createIndex(column: string, options?: object): Promise<void>;
  optimize(): Promise<unknown>;
  mergeInsert(on: string): {
    whenMatchedUpdateAll(): {
      whenNotMatchedInsertAll(): { execute(rows: readonly object[]): Promise<unknown> };
    };
  };
  search(text: string, type: "fts", columns: string): Query;
  vectorSearch(vector: readonly number[]): Query & {
    distanceType(type: string): VectorQuery;
  };
}
interface Lance {
  connect(path: string): Promise<{
    createTable(name: string, rows: readonly object[]): Promise<Table>;
    openTable(name: string): Promise<Table>;
  }>;
  readonly Index: {
    fts(options?: object): object;
    hnswSq(options: object): object;
  };
}

const BATCH = 5_000;
/** Candidates that are compared in full precision; undefined: five times as many as asked for. */
const EFFORTS = [undefined, 200, 300, 400, 600, 800, 1_200, 1_600, 2_400, 3_200, 6_400];
const REFINE = 5;
/** LanceDB's default: candidates of the graph for each that is compared. */
const EF = 1.5;

function rowsOf({
  id,
  title,
  group,
  chunks,
  vectors,
}: Pick<EmbeddedDocument, "id" | "title" | "group" | "chunks" | "vectors">): object[] {
  return chunks.map((chunk, ordinal) => ({
    id: `${id}#${ordinal}`,
    body: `${title}\n${chunk}`,
    group_number: group,
    vector: [...(vectors[ordinal] ?? [])],
  }));
}

export const openEngine: OpenEngine = async (folder, peers) => {
  const lance = await peer<Lance>(peers, "@lancedb/lancedb");
  const db = await lance.connect(join(folder, "lance"));
  let table: Table | undefined;
  let candidates = EFFORTS[0];
  const near = (from: Table, vector: readonly number[], limit: number): Query => {
    const refine = candidates === undefined ? REFINE : Math.ceil(candidates / limit);
    const query = from.vectorSearch(vector).distanceType("cosine").refineFactor(refine);
    return query.ef(Math.ceil(EF * refine * limit));
  };
  const run = async (query: Query, { group }: SpeedQuery, limit: number, score: string) => {
    const filtered = group === undefined ? query : query.where(`group_number = ${group}`);
    const rows = await filtered.select(["id", score]).limit(limit).toArray();
    return rows.map(({ id }) => id);
  };
  return {
    settings: `${peerVersion(peers, "@lancedb/lancedb")}: full-text index, HNSW-SQ with cosine, scalar index on the group`,
    async build(documents) {
      let rows: object[] = [];
      const flush = async () => {
        if (table) await table.add(rows);
        else table = await db.createTable("chunks", rows);
        rows = [];
      };
      for await (const { id, title, group, chunks, vectors } of documents) {
        rows.push(...rowsOf({ id, title, group, chunks, vectors }));
        if (rows.length >= BATCH) await flush();
      }
      if (rows.length > 0) await flush();
      await table?.createIndex("body", { config: lance.Index.fts() });
      await table?.createIndex("group_number");
      await table?.createIndex("vector", { config: lance.Index.hnswSq({ distanceType: "cosine" }) });
      await table?.optimize();
    },
    async upsert(documents) {
      await table
        ?.mergeInsert("id")
        .whenMatchedUpdateAll()
        .whenNotMatchedInsertAll()
        .execute(documents.flatMap(rowsOf));
    },
    async open() {
      table = await db.openTable("chunks");
    },
    text: async (query, limit) =>
      table ? run(table.search(query.text, "fts", "body"), query, limit, "_score") : [],
    vector: async (query, limit) =>
      table ? run(near(table, query.vector, limit), query, limit, "_distance") : [],
    efforts: EFFORTS.map((count) =>
      count === undefined ? `refine factor ${REFINE}` : `${count} candidates refined, ef ${EF} × these`,
    ),
    async useEffort(place) {
      candidates = EFFORTS[place];
    },
    /** Rows of upserts lie beside the indexes until then, and the next run's searches would go through them one by one. */
    async close() {
      await table?.optimize();
    },
  };
};
