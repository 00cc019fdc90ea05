import pc from "picocolors";
import type { Answer, Citation, Hit, IngestReport, Usage } from "../../spec/index.ts";
import type { View } from "../io.ts";

/** Results to print in tests. */
export const view: View = { paint: pc.createColors(false), columns: 80, cwd: "/home/u/docs" };

export const hit: Hit = {
  chunkId: "reports/acme.md#1",
  documentId: "reports/acme.md",
  title: "ACME, second quarter",
  uri: "/home/u/docs/reports/acme.md",
  headings: ["Results", "Revenue"],
  lines: [12, 15],
  text: "Revenue grew by 3 % over the previous quarter.",
  start: 300,
  end: 346,
  context: { kind: "structural", text: "[From: ACME, second quarter, Revenue]" },
  metadata: {},
  rank: 1,
  score: 0.0325,
  scoreKind: "rrf",
  scores: { rrf: 0.0325, bm25: 7.414, cosine: 0.5123 },
  ranks: { text: 1, vector: 2 },
};

export const citation: Citation = {
  number: 1,
  chunkId: hit.chunkId,
  documentId: hit.documentId,
  title: hit.title,
  uri: hit.uri,
  headings: hit.headings,
  lines: [12, 12],
  start: 300,
  end: 346,
  quote: hit.text,
  verified: true,
};

export const answer: Answer = {
  question: "How much did revenue grow?",
  kind: "extract",
  text: `${hit.text} [1]`,
  citations: [citation],
  hits: [hit],
  abstained: false,
  notes: [],
  trace: [],
};

export const noUsage: Usage = {
  calls: 0,
  inputTokens: 0,
  outputTokens: 0,
  cacheReadTokens: 0,
  cacheWriteTokens: 0,
};

export const report: IngestReport = {
  added: 3,
  replaced: 0,
  unchanged: 12,
  deleted: 1,
  failed: [],
  unsupported: [],
  incomplete: [],
  warnings: [],
  chunks: 41,
  ms: 1234,
  usage: { contexts: noUsage, embeddings: noUsage },
};
