import { expect, test } from "vitest";
import type { Answer, Citation, DocumentRecord } from "../../spec/index.ts";
import { placeCitations } from "./place.ts";

const text = "# Two capitals\n\n## Streets\n\nWide.\n\n## People\n\nBerlin has 3.85 million inhabitants.\n";
const quote = "Berlin has 3.85 million inhabitants.";
const start = text.indexOf(quote);

const record: DocumentRecord = {
  document: {
    id: "cities.md",
    text,
    title: "Two capitals",
    uri: "cities.md",
    format: "markdown",
    metadata: {},
    outline: ["# Two capitals", "## Streets", "## People"].map((heading) => ({
      level: heading.lastIndexOf("#") + 1,
      text: heading.replace(/^#+ /, ""),
      start: text.indexOf(heading),
      end: text.indexOf(heading) + heading.length,
    })),
    pages: [
      { number: 1, start: 0 },
      { number: 2, start: text.indexOf("## People") },
    ],
  },
  contentHash: "hash",
  indexedAt: "2026-01-01T00:00:00Z",
  source: "api",
};

function answerWith(citation: Partial<Citation>): Answer {
  const cited: Citation = {
    number: 1,
    chunkId: "cities.md#0",
    documentId: "cities.md",
    title: "Two capitals",
    uri: "cities.md",
    headings: ["Two capitals", "Streets"],
    lines: [9, 9],
    pages: [1, 2],
    start,
    end: start + quote.length,
    quote,
    verified: true,
    ...citation,
  };
  return {
    question: "How many?",
    kind: "extract",
    text: `${quote} [1]`,
    citations: [cited],
    hits: [],
    abstained: false,
    notes: [],
    trace: [],
  };
}

test("a citation stands under the heading and on the page of its own words, not of its chunk's beginning", async () => {
  const { citations } = await placeCitations(answerWith({}), async () => record);
  expect(citations[0]).toMatchObject({ headings: ["Two capitals", "People"], pages: [2, 2] });
});

test("words that the document no longer holds keep the chunk's place", async () => {
  const { citations } = await placeCitations(
    answerWith({ quote: "Berlin has 4 million" }),
    async () => record,
  );
  expect(citations[0]).toMatchObject({ headings: ["Two capitals", "Streets"], pages: [1, 2] });
  const gone = await placeCitations(answerWith({}), async () => undefined);
  expect(gone.citations[0]?.headings).toEqual(["Two capitals", "Streets"]);
});
