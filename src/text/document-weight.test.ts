import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { analyzeField, analyzeQuery } from "./analyze.ts";
import { documentWeight } from "./document-weight.ts";

const CHUNKS = [
  "Agreement of Halvorsen Shipping: confidential information may be given to employees.",
  "Agreement of Brightwater Foods: confidential information may be given to employees.",
  "Agreement of Nusantara Steel: confidential information must be returned.",
  "Agreement of Castellan Media: confidential information must be destroyed.",
];

function weightOf(query: string, chunks: readonly string[] = CHUNKS): number {
  const fields = chunks.map((chunk) => analyzeField(chunk, { language: "en" }));
  const frequency = (term: string) => fields.filter(({ terms }) => terms.has(term)).length;
  return documentWeight(analyzeQuery(query).terms, chunks.length, frequency);
}

describe("documentWeight", () => {
  it("is larger where the query names a document", () => {
    expect(weightOf("confidential information of Halvorsen Shipping")).toBeGreaterThan(
      1.5 * weightOf("confidential information of the agreement"),
    );
  });

  it("is 1 for words of a single chunk, 0 for unknown words and in an empty index", () => {
    expect(weightOf("Brightwater")).toBeCloseTo(1);
    expect(weightOf("zebra")).toBe(0);
    expect(weightOf("Brightwater", [])).toBe(0);
  });

  it("is no more than 1 for a weight so small that its products are rounded", () => {
    expect(documentWeight([{ term: "  ", weight: 3e-323 }], 1, () => 1)).toBe(1);
  });

  it("stays from 0 to 1", () => {
    const term = fc.record({
      term: fc.string({ minLength: 1 }),
      weight: fc.double({ min: 0, max: 5, noNaN: true }),
    });
    fc.assert(
      fc.property(fc.array(term), fc.integer({ min: 0, max: 1000 }), fc.nat(), (terms, chunks, seed) => {
        const weight = documentWeight(terms, chunks, ({ length }) => (length * 31 + seed) % (chunks + 1));
        expect(weight).toBeGreaterThanOrEqual(0);
        expect(weight).toBeLessThanOrEqual(1 + 1e-9);
      }),
    );
  });
});
