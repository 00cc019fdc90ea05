import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test, vi } from "vitest";
import { openKonteks } from "../open.ts";
import type { Reranker } from "../spec/index.ts";
import { replay, replayBaseline } from "./replay.ts";
import { rerankCost, rerankPriceOf } from "./rerank-prices.ts";

test("tells what a reranker is sent before it is, then what it changed, and for which queries it was left out", async () => {
  const path = await mkdtemp(join(tmpdir(), "konteks-replay-"));
  const konteks = await openKonteks({ path });
  const texts = ["The rent is due monthly.", "The rent of the garden.", "A garden and a gate."];
  await konteks.ingest(texts.map((text, i) => ({ id: `${i}.md`, text })));
  const score = vi.fn<Reranker["rerank"]>(async ({ query, candidates }) => {
    if (query === "gate") throw new Error("busy");
    return candidates.map((_, index) => ({ index, score: index }));
  });
  const options = { rerank: { model: { id: "own", kind: "local", rerank: score } as const } };
  const baseline = await replayBaseline(konteks, ["rent", "gate"], options);
  expect(score).not.toHaveBeenCalled();
  expect(baseline.loads.map(({ texts: n, tokens }) => [n, tokens > 0])).toEqual([
    [2, true],
    [1, true],
  ]);
  const result = await replay(konteks, baseline, options);
  expect(result).toMatchObject({
    queries: 2,
    firstChanged: 0.5,
    same: 0.5,
    newHits: 0,
    skipped: 1,
    reasons: ["rerank: skipped (busy)"],
  });
  expect(result.examples).toMatchObject([{ query: "rent", before: baseline.hits[0]?.[0]?.chunkId }]);
  await konteks.close();
  await rm(path, { recursive: true });
});

test("prices: by searches of a hundred texts, by tokens, nothing on this machine", () => {
  const lists = [
    { texts: 150, tokens: 60_000 },
    { texts: 20, tokens: 10_000 },
  ];
  const cost = (name: string) => {
    const price = rerankPriceOf(name);
    return price && rerankCost(lists, price);
  };
  expect(cost("cohere:rerank-v3.5")).toBeCloseTo(0.006);
  expect(cost("voyage:rerank-2.5-lite")).toBeCloseTo(0.0014);
  expect([cost("built-in"), cost("local:any"), cost("jina:x")]).toEqual([0, 0, undefined]);
});
