import { join } from "node:path";
import type { Filter, IndexedChunk, Store } from "../../src/spec/index.ts";
import { openSqliteStore } from "../../src/stores/sqlite/index.ts";
import { ANALYZER_ID, analyzeField, analyzeQuery } from "../../src/text/analyze.ts";
import { textForBm25 } from "../../src/text/index-text.ts";
import type { EmbeddedDocument, OpenEngine, SpeedQuery } from "./engine.ts";

/** Documents whose writes are asked for together. */
const TOGETHER = 8;

export const openEngine: OpenEngine = async (folder) => {
  const path = join(folder, "index.sqlite");
  let store: Store;
  let languages: readonly string[] = [];
  let analysisMs = 0;
  const filterOf = ({ group }: SpeedQuery) =>
    group === undefined ? {} : { filter: { field: "group", op: "eq", value: group } satisfies Filter };
  return {
    settings: "defaults, all fields, document weight 0.5; text analysed in the same thread while building",
    async build(documents) {
      store = await openSqliteStore({ path });
      let writes: Promise<void>[] = [];
      for await (const document of documents) {
        const start = performance.now();
        const { record, chunks } = toRecord(document);
        analysisMs += performance.now() - start;
        if (chunks.length > 0 && (await store.readIdentity()) === undefined)
          await store.writeIdentity(identity(chunks));
        writes.push(store.replaceDocument(record, chunks));
        if (writes.length < TOGETHER) continue;
        await Promise.all(writes);
        writes = [];
      }
      await Promise.all(writes);
      await store.close();
    },
    analysisMs: () => analysisMs,
    async upsert(documents) {
      const analysed = documents.map(toRecord);
      await Promise.all(analysed.map(({ record, chunks }) => store.replaceDocument(record, chunks)));
    },
    async open() {
      store = await openSqliteStore({ path });
      languages = await store.languages();
    },
    async text(query, limit) {
      const { terms } = analyzeQuery(query.text, { languages });
      const bm25 = { documentWeight: 0.5 };
      return ids(await store.searchText({ terms, limit, bm25, ...filterOf(query) }));
    },
    async vector(query, limit) {
      return ids(
        await store.searchVector({ vector: Float32Array.from(query.vector), limit, ...filterOf(query) }),
      );
    },
    close: () => store.close(),
  };
};

function ids(found: readonly { readonly chunkId: string }[]): readonly string[] {
  return found.map(({ chunkId }) => chunkId);
}

function identity([first]: readonly IndexedChunk[]) {
  const dimensions = first?.vectors[0]?.length ?? 0;
  return { chunker: "speed", contextualizer: "speed", analyzer: ANALYZER_ID, embedding: "speed", dimensions };
}

function toRecord({ id, title, language, group, chunks, vectors }: EmbeddedDocument) {
  const context = { kind: "structural", text: title } as const;
  let end = -1;
  const indexed = chunks.map((text, ordinal): IndexedChunk => {
    const start = end + 1;
    end = start + text.length;
    const chunk = {
      id: `${id}#${ordinal}`,
      documentId: id,
      ordinal,
      start,
      end,
      text,
      headings: [],
      lines: [1, 1] as const,
      tokens: 130,
    };
    const fields = Object.entries(textForBm25({ title, chunk, context }));
    return {
      chunk,
      context,
      fields: Object.fromEntries(fields.map(([name, field]) => [name, analyzeField(field, { language })])),
      vectors: [vectors[ordinal] ?? new Float32Array(0)],
    };
  });
  const document = {
    id,
    title,
    language,
    uri: `file:///${id}`,
    format: "text",
    text: chunks.join("\n"),
    metadata: { group },
    outline: [],
  } as const;
  return {
    record: { document, contentHash: id, indexedAt: "2026-01-01T00:00:00.000Z", source: "speed" },
    chunks: indexed,
  };
}
