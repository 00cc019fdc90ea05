import { expect, it } from "vitest";
import type { DocumentSummary } from "../../spec/index.ts";
import { renderDocuments } from "./documents.ts";
import { widthOf } from "./layout.ts";
import { renderReport } from "./report.ts";
import { report, view } from "./results.fixture.ts";

const summary: DocumentSummary = {
  id: "a.md",
  title: "A short title",
  uri: "/home/u/docs/a.md",
  language: "en",
  metadata: {},
  chunks: 2,
  characters: 100,
  contentHash: "0",
  indexedAt: "2026-01-01T00:00:00.000Z",
  source: "/home/u/docs",
  failures: 0,
  pending: 0,
  warnings: [],
};
const long: DocumentSummary = {
  ...summary,
  id: "a/long/way/down/to/quarterly-report-of-the-whole-year.md",
  title: "A title that goes on and on about what the quarters of the whole year brought",
  failures: 3,
};

it("documents stand in rows where these fit", () => {
  expect(renderDocuments([summary, { ...summary, id: "bb.md" }], view)).toBe(
    "a.md   2 chunks  en  A short title\nbb.md  2 chunks  en  A short title\n2 documents",
  );
});

it("a long id stays whole, and no word is cut", () => {
  const text = renderDocuments([summary, long], view);
  expect(text.split("\n")).toContain(long.id);
  for (const line of text.split("\n")) expect(widthOf(line)).toBeLessThanOrEqual(80);
  expect(text.replace(/\s+/g, " ")).toContain(`2 chunks, en, ${long.title} (3 incomplete)`);
});

it("a pipe gets a line for each document", () => {
  expect(renderDocuments([summary, long], { ...view, isPiped: true }).split("\n")).toHaveLength(3);
});

it("warnings of an ingest are broken between words", () => {
  const warning = "this is a long sentence about what was found in the file and what may be done with it";
  const text = renderReport({ ...report, warnings: [{ id: "a.md", warning }] }, view);
  for (const line of text.split("\n")) expect(widthOf(line)).toBeLessThanOrEqual(80);
  expect(text.replace(/\s+/g, " ")).toContain(warning);
});
