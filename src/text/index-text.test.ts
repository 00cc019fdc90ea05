import { expect, test } from "vitest";
import { textForBm25, textForEmbedding, textForRerank } from "./index-text.ts";

const chunk = { text: "| 3 % |", headings: ["Results", "Revenue"], repeated: "| growth |" };
const context = { kind: "structural", text: "[From: ACME, Q2]" } as const;

test("a table's header rows stand before the chunk for every stage, and the context before both", () => {
  const parts = { title: "Report", chunk, context };
  expect(textForEmbedding(parts)).toBe("[From: ACME, Q2]\n| growth |\n| 3 % |");
  expect(textForBm25(parts)).toEqual({
    title: "Report",
    context: "[From: ACME, Q2]",
    body: "| growth |\n| 3 % |",
  });
  expect(textForRerank(parts)).toBe("Report\nResults > Revenue\n[From: ACME, Q2]\n| growth |\n| 3 % |");
});

test("a chunk without context stands alone, without its title", () => {
  const parts = { title: "Report", chunk, context: { kind: "none", text: "" } } as const;
  expect(textForBm25(parts)).toEqual({ title: "", context: "", body: "| growth |\n| 3 % |" });
  expect(textForEmbedding(parts)).toBe("| growth |\n| 3 % |");
});
