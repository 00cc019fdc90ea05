import fc from "fast-check";
import { expect, test } from "vitest";
import type { Hit } from "../../spec/index.ts";
import { countTokens } from "../../text/count-tokens.ts";
import { hitOf } from "./evidence.fixture.ts";
import { buildEvidence } from "./evidence.ts";

const document = "One fine day. Two fine days. Three fine days.\n\nFour fine days. Five fine days.";
const textOf = () => document;
const part = (start: number, end: number, fields: Partial<Hit> = {}) =>
  hitOf(document.slice(start, end), { start, end, chunkId: `d#${start}`, ...fields });

test("neighbours of a section are one passage without their overlap", () => {
  const { evidence } = buildEvidence([part(14, 45, { rank: 1 }), part(0, 28, { rank: 2 })], { textOf });
  expect(evidence).toHaveLength(1);
  expect(evidence[0]).toMatchObject({ number: 1, start: 0, end: 45, text: document.slice(0, 45) });
  expect(evidence[0]?.chunks.map(({ id }) => id)).toEqual(["d#0", "d#14"]);
  expect(evidence[0]?.orientation).toEqual(["[From: ACME]"]);
});

test("so are those with nothing but white space between them, never across words", () => {
  const blank = buildEvidence([part(0, 45), part(47, 62, { rank: 2 })], { textOf }).evidence;
  expect(blank.map(({ text }) => text)).toEqual([document.slice(0, 62)]);
  const gap = buildEvidence([part(0, 13), part(29, 45, { rank: 2 })], { textOf }).evidence;
  expect(gap).toHaveLength(2);
});

test("another section is another passage", () => {
  const { evidence } = buildEvidence([part(0, 28), part(28, 45, { rank: 2, headings: ["Costs"] })], {
    textOf,
  });
  expect(evidence.map(({ headings }) => headings)).toEqual([["Results"], ["Costs"]]);
});

test("numbers follow the best hit of each passage", () => {
  const hits = [part(0, 13, { documentId: "b", rank: 1 }), part(0, 13, { documentId: "a", rank: 2 })];
  expect(buildEvidence(hits).evidence.map(({ number, documentId }) => [number, documentId])).toEqual([
    [1, "b"],
    [2, "a"],
  ]);
});

test("a document that could fill the budget leaves the others their share", () => {
  const long = Array.from({ length: 10 }, (_, i) =>
    hitOf(`Alpha beta gamma ${i}. `.repeat(20), {
      documentId: "long",
      chunkId: `l#${i}`,
      start: 10_000 * i,
      rank: i + 1,
    }),
  );
  const short = hitOf("The answer is here.", { documentId: "short", chunkId: "s#0", rank: 11 });
  const maxTokens = 4 * countTokens(long[0]?.text ?? "");
  const { evidence, leftOut } = buildEvidence([...long, short], { maxTokens });
  expect(evidence.some(({ documentId }) => documentId === "short")).toBe(true);
  expect(leftOut).toBeGreaterThan(0);
  const tokens = evidence.reduce((sum, { text }) => sum + countTokens(text), 0);
  expect(tokens).toBeLessThanOrEqual(maxTokens);
});

test("whatever is found, every passage is a slice of its document, and no place is in two", () => {
  const spans = fc.array(fc.tuple(fc.nat(document.length - 1), fc.integer({ min: 1, max: 30 })), {
    maxLength: 8,
  });
  fc.assert(
    fc.property(spans, (chosen) => {
      const hits = chosen.map(([start, length], i) =>
        part(start, Math.min(document.length, start + length), { rank: i + 1, chunkId: `d#${i}` }),
      );
      const { evidence } = buildEvidence(hits, { textOf });
      for (const { start, end, text } of evidence) expect(document.slice(start, end)).toBe(text);
      const ordered = [...evidence].sort((a, b) => a.start - b.start);
      for (const [i, one] of ordered.slice(1).entries())
        expect(one.start).toBeGreaterThanOrEqual(ordered[i]?.end ?? 0);
      expect(evidence.flatMap(({ chunks }) => chunks)).toHaveLength(hits.length);
    }),
  );
});
