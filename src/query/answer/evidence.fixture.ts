import type { Evidence, Hit } from "../../spec/index.ts";

/** A passage somewhere inside a document, for tests. */
export function evidenceOf(text: string, fields: Partial<Evidence> = {}): Evidence {
  const start = fields.start ?? 500;
  return {
    number: 1,
    documentId: "report.md",
    title: "ACME, Q2 2023",
    uri: "/docs/report.md",
    headings: ["Results"],
    lines: [10, 10 + text.split("\n").length - 1],
    start,
    end: start + text.length,
    text,
    chunks: [{ id: "report.md#3", start, end: start + text.length }],
    orientation: ["[From: ACME]"],
    language: "en",
    ...fields,
  };
}

/** A chunk that was found, for tests. */
export function hitOf(text: string, fields: Partial<Hit> = {}): Hit {
  const start = fields.start ?? 500;
  return {
    chunkId: `${fields.documentId ?? "report.md"}#${start}`,
    documentId: "report.md",
    title: "ACME, Q2 2023",
    uri: "/docs/report.md",
    headings: ["Results"],
    lines: [10, 10 + text.split("\n").length - 1],
    start,
    end: start + text.length,
    text,
    context: { kind: "structural", text: "[From: ACME]" },
    metadata: {},
    rank: 1,
    score: 1,
    scoreKind: "rrf",
    scores: {},
    ranks: {},
    language: "en",
    ...fields,
  };
}
