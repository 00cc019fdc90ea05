import { expect, test } from "vitest";
import type { ContextEstimate, ProgressEvent } from "../spec/index.ts";
import { lineOf } from "./progress.ts";
import { createProgressState } from "./progress-state.ts";

const tokens = { calls: 0, input: 0, cacheWrite: 0, cacheRead: 0, output: 0 };
const document = { documentTokens: 0, tokens, policy: "single", cached: false, reason: "" } as const;
const estimate = {
  missing: 30,
  cost: 3,
  byDocument: [
    { ...document, id: "a.md", chunks: 20, missing: 10 },
    { ...document, id: "b.md", chunks: 20, missing: 20 },
  ],
} as unknown as ContextEstimate;

const start: ProgressEvent = { type: "start", documents: 2 };
const context = (documentId: string, done: number, cost?: number): ProgressEvent => ({
  type: "context",
  documentId,
  done,
  chunks: 20,
  ...(cost !== undefined && { cost }),
});

test("progress counts what this run wrote, not what was there, and says what is left", () => {
  let now = 0;
  const after = createProgressState(estimate, () => now);
  expect(lineOf(after(start))).toBe("0 of 2 documents · 0 of 30 contexts");
  expect(after(context("a.md", 10, 0)).contexts).toEqual({ done: 0, of: 30 });
  now = 4_000;
  after(context("a.md", 14, 0.5));
  const state = after(context("b.md", 2, 0.7));
  expect(state).toEqual({
    documents: { done: 0, of: 2 },
    contexts: { done: 6, of: 30 },
    cost: 0.7,
    estimatedCost: 3,
    contextsPerSecond: 1.5,
    secondsLeft: 16,
    at: { document: "b.md", done: 2, of: 20 },
  });
  expect(lineOf(state)).toBe(
    "0 of 2 documents · 6 of 30 contexts · $0.70 of about $3.00 · 1.5 a second · 16.0 s left · b.md: 2 of 20",
  );
});

test("vectors that follow the documents are counted with their own pace", () => {
  let now = 0;
  const after = createProgressState(estimate, () => now);
  after(start);
  after(context("a.md", 20, 1));
  now = 60_000;
  expect(lineOf(after({ type: "embed", chunks: 40, done: 0 }))).toBe(
    "0 of 2 documents · 10 of 30 contexts · $1.00 of about $3.00 · 0 of 40 vectors",
  );
  now = 64_000;
  expect(lineOf(after({ type: "embed", chunks: 40, done: 20 }))).toMatch(
    / · 20 of 40 vectors · 5\.0 a second · 4\.0 s left$/,
  );
  now = 68_000;
  expect(lineOf(after({ type: "embed", chunks: 40, done: 40 }))).toMatch(
    / · 40 of 40 vectors · 5\.0 a second$/,
  );
});

test("without a model, and without a price, it says no more than it knows", () => {
  const after = createProgressState(undefined);
  after(start);
  const done: ProgressEvent = {
    type: "document",
    id: "a.md",
    status: "added",
    chunks: 3,
    done: 1,
    documents: 2,
  };
  expect(lineOf(after(done))).toBe("1 of 2 documents · a.md");
  const { cost: _, ...unpriced } = estimate;
  const other = createProgressState(unpriced);
  expect(other(context("a.md", 11))).not.toHaveProperty("cost");
  expect(lineOf(createProgressState(undefined)({ type: "batch", items: 9, done: 4, cost: 0.2 }))).toBe(
    "4 of 9 requests in batches · $0.20",
  );
});
