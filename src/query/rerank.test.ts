import { mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, test, vi } from "vitest";
import type { Reranker, RerankScore, StoredChunk } from "../spec/index.ts";
import { countTokens } from "../text/count-tokens.ts";
import { checkScores, cutToTokens, rerank } from "./rerank.ts";
import { openRerankCache, type RerankCache } from "./rerank-cache.ts";

const candidates = ["a", "b", "c", "d"].map((id, i) => {
  const chunk = {
    id,
    documentId: id,
    ordinal: 0,
    text: `text ${id}`,
    start: 0,
    end: 6,
    headings: [],
    lines: [1, 1] as const,
    tokens: 2,
  };
  const stored: StoredChunk = {
    chunk,
    context: { kind: "none", text: "" },
    title: id,
    uri: id,
    metadata: {},
  };
  return { stored, fused: { chunkId: id, score: 1 - i / 10, parts: {}, ranks: {}, scores: {} } };
});

const reranker = (score: Reranker["rerank"], kind: Reranker["kind"] = "hosted"): Reranker => ({
  id: "r",
  kind,
  rerank: score,
});

const stage = (
  score: Reranker["rerank"],
  more: { depth?: number; timeoutMs?: number; cache?: RerankCache } = {},
) => ({
  reranker: reranker(score),
  depth: 10,
  timeoutMs: 1000,
  query: { query: "q", languages: [], idf: () => 1, documentWeight: 0 },
  ...more,
});

const idsOf = ({ order }: Awaited<ReturnType<typeof rerank>>) =>
  order.map(({ stored }) => stored.chunk.id).join("");

describe("order", () => {
  test("scores meet their chunks by index, whatever their order; those left out follow as they were", async () => {
    const result = await rerank(
      candidates,
      stage(async () => [
        { index: 3, score: -1 },
        { index: 1, score: 7 },
      ]),
    );
    expect(idsOf(result)).toBe("bdac");
  });

  test("beyond the depth nothing moves", async () => {
    const result = await rerank(
      candidates,
      stage(
        async () => [
          { index: 0, score: 1 },
          { index: 1, score: 2 },
        ],
        { depth: 2 },
      ),
    );
    expect(idsOf(result)).toBe("bacd");
  });

  test.each([
    ["beyond the list", [{ index: 4, score: 1 }], /text 4 of a list of 4/],
    [
      "twice",
      [
        { index: 0, score: 1 },
        { index: 0, score: 2 },
      ],
      /text 0 twice/,
    ],
    ["no number", [{ index: 0, score: Number.NaN }], /the score NaN/],
  ] as [string, RerankScore[], RegExp][])(
    "a score %s leaves the order and says why",
    async (_, scores, reason) => {
      const result = await rerank(
        candidates,
        stage(async () => scores),
      );
      expect(idsOf(result)).toBe("abcd");
      expect(result.skipped).toMatch(reason);
    },
  );

  test("a reranker that fails or takes too long leaves the order and says why", async () => {
    const failed = await rerank(
      candidates,
      stage(() => Promise.reject(new Error("busy"))),
    );
    expect([idsOf(failed), failed.skipped]).toEqual(["abcd", "busy"]);
    const late = await rerank(
      candidates,
      stage(() => new Promise(() => {}), { timeoutMs: 10 }),
    );
    expect([idsOf(late), late.skipped]).toEqual(["abcd", "it took longer than 10 ms"]);
  });

  test("paid scores are asked for once, also by the next process", async () => {
    const folder = mkdtempSync(join(tmpdir(), "konteks-reranks-"));
    const score = vi.fn(async () => [{ index: 2, score: 1 }]);
    const again = () => rerank(candidates, stage(score, { cache: openRerankCache(folder) }));
    expect(idsOf(await again())).toBe("cabd");
    const kept = await again();
    expect([idsOf(kept), kept.cached]).toEqual(["cabd", true]);
    expect(score).toHaveBeenCalledTimes(1);
    const [file = ""] = readdirSync(folder);
    writeFileSync(join(folder, file), '[{"index":9,"score":1}]');
    expect(idsOf(await again())).toBe("cabd");
    expect(score).toHaveBeenCalledTimes(2);
    rmSync(folder, { recursive: true });
  });

  test("scores that cannot be kept are used all the same, and it is said", async () => {
    const cache: RerankCache = {
      get: () => undefined,
      set: () => {
        throw new Error("disk full");
      },
    };
    const result = await rerank(
      candidates,
      stage(async () => [{ index: 2, score: 1 }], { cache }),
    );
    expect([idsOf(result), result.unkept]).toEqual(["cabd", "disk full"]);
  });
});

test("any finite score is legal", () => {
  fc.assert(
    fc.property(fc.array(fc.double({ noNaN: true, noDefaultInfinity: true }), { maxLength: 9 }), (values) => {
      const scores = values.map((score, index) => ({ index, score }));
      expect(checkScores(scores, values.length, "r")).toEqual(scores);
    }),
  );
});

test("a text is cut to its limit, between words", () => {
  fc.assert(
    fc.property(
      fc.array(fc.stringMatching(/^[a-z]{1,12}$/), { minLength: 1, maxLength: 60 }),
      fc.integer({ min: 1, max: 60 }),
      (words, limit) => {
        const text = words.join(" ");
        const cut = cutToTokens(text, limit);
        expect(text.startsWith(cut)).toBe(true);
        expect(countTokens(cut)).toBeLessThanOrEqual(limit);
        if (cut.includes(" ") && cut !== text) expect(words).toContain(cut.split(" ").at(-1));
      },
    ),
  );
});
