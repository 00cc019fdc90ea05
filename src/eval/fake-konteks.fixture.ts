import type {
  Answer,
  ChunkInput,
  DocumentInput,
  Hit,
  IngestReport,
  Konteks,
  OpenOptions,
  SearchOptions,
  StoredChunk,
} from "../spec/index.ts";

/**
 * An index for the tests of this folder, of which every result can be worked out by hand: chunks are cut by characters,
 * a structural context is the title, and the score is the number of the query's words in context and chunk. In mode
 * "vector" words of up to three letters are not seen.
 */
export async function openFake(options: OpenOptions = {}): Promise<Konteks> {
  const documents = new Map<string, DocumentInput>();
  const chunks = new Map<string, StoredChunk[]>();
  const put = (document: DocumentInput) => {
    documents.set(document.id, document);
    chunks.set(
      document.id,
      cut(document, options).map((chunk, ordinal) => stored(document, chunk, ordinal, options)),
    );
  };
  const unused = () => Promise.reject(new Error("not part of the fake"));
  return {
    ingest: async (source) => {
      for (const document of typeof source === "string" ? [] : source) {
        if (typeof document !== "string" && "text" in document) put(document);
      }
      return report([...chunks.values()].flat().length);
    },
    upsert: unused,
    delete: unused,
    ask: async (question, { k = 3, mode } = {}) =>
      firstSentences(question, rank([...chunks.values()].flat(), question, { k, ...(mode && { mode }) })),
    why: async (query, { expect }) => ({
      query,
      expect,
      lostAt: "search",
      reason: `${expect} was not looked at`,
      chunks: [],
      lists: {},
      stages: {},
      words: [],
      remedies: [],
      leftOut: {},
      passage: [],
    }),
    status: async () => ({
      index: "",
      identity: undefined,
      counts: {
        documents: documents.size,
        chunks: 0,
        vectors: 0,
        contexts: { llm: 0, structural: 0, none: 0 },
        failures: 0,
        pending: 0,
        bytes: 0,
      },
      embedding: "",
      contextStore: { path: "", contexts: 0, vectors: 0, stale: 0, batches: 0 },
      warnings: [],
    }),
    estimate: unused,
    estimateRepair: unused,
    repair: unused,
    exportContexts: () => [],
    importContexts: unused,
    search: async (query, search = {}) => ({
      query,
      hits: rank([...chunks.values()].flat(), query, search),
      trace: [],
    }),
    documents: async () =>
      [...documents.values()].map(({ id, text }) => ({
        id,
        title: id,
        uri: id,
        metadata: {},
        chunks: chunks.get(id)?.length ?? 0,
        characters: text.length,
        contentHash: "",
        indexedAt: "",
        source: "api",
        failures: 0,
        pending: 0,
        warnings: [],
      })),
    document: async (id) => {
      const found = documents.get(id);
      if (found === undefined) return undefined;
      const document = {
        id,
        text: found.text,
        title: id,
        uri: id,
        format: "text" as const,
        metadata: {},
        outline: [],
      };
      return { document, contentHash: "", indexedAt: "", source: "api" };
    },
    chunks: async (id) => chunks.get(id) ?? [],
    close: async () => {},
    [Symbol.asyncDispose]: async () => {},
  };
}

function cut(document: DocumentInput, { chunk = {} }: OpenOptions): readonly ChunkInput[] {
  if (document.chunks) return document.chunks;
  const { size = 800, overlap = 0 } = chunk;
  const starts = Array.from(
    { length: Math.ceil(document.text.length / (size - overlap)) },
    (_, i) => i * (size - overlap),
  );
  return starts.map((start) => ({ start, end: Math.min(start + size, document.text.length) }));
}

function stored(
  document: DocumentInput,
  chunk: ChunkInput,
  ordinal: number,
  { context }: OpenOptions,
): StoredChunk {
  const text = document.text.slice(chunk.start, chunk.end);
  const given = chunk.context === undefined ? undefined : { kind: "llm" as const, text: chunk.context };
  const own =
    context === "none"
      ? { kind: "none" as const, text: "" }
      : { kind: "structural" as const, text: document.title ?? "" };
  return {
    chunk: {
      id: `${document.id}#${ordinal}`,
      documentId: document.id,
      ordinal,
      text,
      start: chunk.start,
      end: chunk.end,
      headings: [],
      lines: [1, 1],
      tokens: words(text).length,
    },
    context: given ?? own,
    title: document.title ?? "",
    uri: document.id,
    metadata: {},
    ...(document.language !== undefined && { language: document.language }),
  };
}

function rank(
  chunks: readonly StoredChunk[],
  query: string,
  { k = 10, mode }: SearchOptions,
): readonly Hit[] {
  const wanted = words(query).filter((word) => mode !== "vector" || word.length > 3);
  return chunks
    .map((each) => {
      const there = new Set(words(`${each.context.text} ${each.chunk.text}`));
      return { ...each, score: wanted.filter((word) => there.has(word)).length };
    })
    .filter(({ score }) => score > 0)
    .sort((a, b) => b.score - a.score || a.chunk.id.localeCompare(b.chunk.id))
    .slice(0, k)
    .map(({ chunk: { id: chunkId, ...chunk }, score, ...rest }, index) => ({
      ...rest,
      ...chunk,
      chunkId,
      rank: index + 1,
      score,
      scoreKind: "rrf",
      scores: { rrf: score },
      ranks: {},
    }));
}

/** The first hit as the answer; nothing when fewer than two words of the question are there. */
function firstSentences(question: string, hits: readonly Hit[]): Answer {
  const cited = hits.slice(0, 1).filter(({ score }) => score > 1);
  const base = { question, hits, notes: [], trace: [] };
  if (cited.length === 0)
    return { ...base, kind: "none", text: "", citations: [], abstained: true, reason: "off-the-point" };
  const citations = cited.map((hit, i) => ({ ...hit, number: i + 1, quote: hit.text, verified: true }));
  const text = citations.map(({ quote }) => quote).join("\n");
  const sentence = { start: 0, end: text.length, citations: [0], verdict: "supported", reasons: [] } as const;
  return { ...base, kind: "extract", text, citations, sentences: [sentence], abstained: false };
}

function words(text: string): readonly string[] {
  return text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
}

function report(chunks: number): IngestReport {
  const none = { calls: 0, inputTokens: 0, outputTokens: 0, cacheReadTokens: 0, cacheWriteTokens: 0 };
  const nothing = {
    added: 1,
    replaced: 0,
    unchanged: 0,
    deleted: 0,
    failed: [],
    unsupported: [],
    incomplete: [],
  };
  return { ...nothing, warnings: [], chunks, ms: 1, usage: { contexts: none, embeddings: none } };
}
