import { describe, expect, it } from "vitest";
import { lexicalIdfTerms } from "./exact-terms.ts";
import { isFunctionWord, unknownShare } from "./lexical-share.ts";

const known = new Set(["interest", "margin"]);
const frequency = (term: string) => (known.has(term) ? 3 : 0);

describe("unknownShare", () => {
  it("counts content words the index does not hold", () => {
    expect(unknownShare("what is the interest margin?", frequency)).toBe(0);
    expect(unknownShare("intrest margin", frequency)).toBe(0.5);
    expect(unknownShare("intrest mragin", frequency)).toBe(1);
  });

  it("leaves out pairs of Han and Kana, which lie across words", () => {
    expect(unknownShare("净息差 intrest margin", frequency)).toBe(0.5);
    expect(unknownShare("净息差", frequency)).toBe(0);
  });

  it("is 0 for a query without content words", () => {
    expect(unknownShare("to be or not to be", frequency)).toBe(0);
    expect(unknownShare("?!", frequency)).toBe(0);
  });
});

describe("lexicalIdfTerms", () => {
  it("names each word once, as the index does", () => {
    expect(lexicalIdfTerms("Interest, interest and getUserById")).toEqual([
      "interest",
      "and",
      "get",
      "user",
      "by",
      "id",
    ]);
  });
});

describe("isFunctionWord", () => {
  it("knows words of several languages", () => {
    expect(["the", "yang", "của", "nicht"].map(isFunctionWord)).toEqual([true, true, true, true]);
    expect(isFunctionWord("margin")).toBe(false);
  });
});
