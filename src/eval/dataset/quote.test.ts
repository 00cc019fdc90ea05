import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { findQuote, findQuoteIn } from "./quote.ts";

describe("findQuote", () => {
  it("finds a quote whose white space was changed on the way", () => {
    const text = "Alpha.\nThe fee is\n  12 % (net).\nOmega.";
    const [place] = findQuote(text, " The fee is 12 % (net). ");
    expect(text.slice(place?.start, place?.end)).toBe("The fee is\n  12 % (net).");
  });

  it("gives every place, so that an ambiguous quote is noticed", () => {
    expect(findQuote("one two one two", "one two")).toEqual([
      { start: 0, end: 7 },
      { start: 8, end: 15 },
    ]);
  });

  it("finds nothing for other words, other case, or no words", () => {
    expect(findQuote("The Fee", "the fee")).toEqual([]);
    expect(findQuote("The Fee", "  ")).toEqual([]);
  });

  it("takes marks of one kind for each other where the words stand nowhere as they are written", () => {
    const text = "The tenant's “notice period” is 30–60 days.";
    const found = (quote: string) => findQuote(text, quote).map(({ start, end }) => text.slice(start, end));
    expect(found('tenant’s "notice period" is 30-60')).toEqual(["tenant's “notice period” is 30–60"]);
    expect(found("»is 30–60 days«")).toEqual(["is 30–60 days"]);
    expect(found("“notice period”")).toEqual(["“notice period”"]);
    expect(found("tenant “s")).toEqual([]);
    expect(findQuote(`'a' "a"`, `"a"`)).toEqual([{ start: 4, end: 7 }]);
  });

  it("looks for the words as they are written in every text first", () => {
    const texts = [{ text: "Don’t." }, { text: "Don't." }];
    expect(findQuoteIn(texts, "Don't").map((found) => found.in)).toEqual([texts[1]]);
    expect(findQuoteIn(texts, "Don‛t")).toHaveLength(2);
  });

  it("finds any slice of any text at its place", () => {
    fc.assert(
      fc.property(fc.string({ unit: "grapheme", minLength: 1 }), fc.nat(), fc.nat(), (text, a, b) => {
        const start = a % text.length;
        const end = start + 1 + (b % (text.length - start));
        const slice = text.slice(start, end);
        fc.pre(!/^\p{Cs}|\p{Cs}$/u.test(slice) && slice.trim() === slice);
        const words = (span: { start: number; end: number }) =>
          text.slice(span.start, span.end).split(/\s+/u);
        const places = findQuote(text, slice);
        expect(places.length).toBeGreaterThan(0);
        for (const place of places) expect(words(place)).toEqual(slice.split(/\s+/u));
      }),
    );
  });
});
