import pc from "picocolors";
import { expect, it } from "vitest";
import type { ContextEstimate, DocumentEstimate, ModeEstimate } from "../../spec/index.ts";
import { renderEstimate } from "./estimate.ts";

const tokens = { calls: 1, input: 1, cacheWrite: 1, cacheRead: 1, output: 1 };
const mode = (name: ModeEstimate["mode"], cost: number) => ({ mode: name, tokens, cost }) as ModeEstimate;

function estimateOf(document: Partial<DocumentEstimate>): ContextEstimate {
  const one = { id: "a.md", chunks: 9, missing: 9, documentTokens: 9, tokens, cached: true, ...document };
  return {
    model: "p:m",
    host: "example.org",
    documents: 1,
    chunks: 9,
    missing: 9,
    documentsSent: 1,
    documentTokens: 9,
    tokens,
    cost: 1.59,
    modes: [mode("single", 1.59), mode("grouped", 0.56)],
    byDocument: [one as DocumentEstimate],
    otherContexts: 0,
    requestsUnderWay: 0,
    batchHitRate: 0.7,
    learntFrom: 0,
    notes: [],
  };
}

const shown = (estimate: ContextEstimate) =>
  renderEstimate(estimate, { paint: pc.createColors(false), columns: 100, cwd: "/" }, false);

it("says why a dearer way was chosen and how to choose the cheaper one, unless it was asked for", () => {
  const chosen = estimateOf({ policy: "single", reason: "the provider keeps the document" });
  expect(shown(chosen)).toMatch(/why +one call for each chunk.*--plan grouped costs \$0\.56/);
  expect(shown(estimateOf({ policy: "single", reason: "as was asked for" }))).not.toContain("--plan");
  expect(shown(estimateOf({ policy: "grouped", reason: "not cached" }))).not.toContain("--plan");
});
