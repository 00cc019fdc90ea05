import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { countTokens } from "./count-tokens.ts";

/** Texts with what the cl100k tokenizer counts for them. */
const COUNTED: readonly (readonly [text: string, tokens: number])[] = [
  ["The quick brown fox jumps over the lazy dog, and nobody minds.", 14],
  ["a,,b,", 4],
  ["SKU-4521", 4],
  ["日本語のテキストです。ひらがなとカタカナ", 20],
  ["한국어 텍스트입니다 안녕하세요", 12],
  ["Привет мир это текст на русском языке", 16],
  ["नमस्ते दुनिया यह हिंदी है", 25],
  ["😀👍🏽👩‍👩‍👧🎉", 24],
  ["}\n".repeat(40), 40],
  ["9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08", 43],
  ["x".repeat(200), 25],
];

describe("countTokens", () => {
  test.each(COUNTED)("is never far below a real tokenizer: %s", (text, tokens) => {
    expect(countTokens(text)).toBeGreaterThanOrEqual(Math.floor(tokens * 0.85));
  });

  test("nothing costs nothing, and anything that is not blank costs something", () => {
    expect(countTokens("")).toBe(0);
    fc.assert(
      fc.property(fc.string({ unit: "binary", minLength: 1 }), (text) => {
        fc.pre(text.trim() !== "");
        expect(countTokens(text)).toBeGreaterThan(0);
      }),
    );
  });

  test("the parts of a text, cut beside a character that is not blank, never cost less than the whole", () => {
    const piece = fc.constantFrom(
      "a",
      "B",
      "word",
      " ",
      "\n",
      "12",
      "--",
      "é",
      "ế",
      "中",
      "ก",
      "😀",
      "}",
      "x y",
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 40 }), fc.array(piece, { maxLength: 40 }), (left, right) => {
        const [a, b] = [left.join("").trimEnd(), right.join("")];
        expect(countTokens(a + b)).toBeLessThanOrEqual(countTokens(a) + countTokens(b));
      }),
    );
  });

  test("the time grows with the length", () => {
    const text = "word, número 12 中文 ".repeat(20_000);
    const started = performance.now();
    countTokens(text);
    expect(performance.now() - started).toBeLessThan(1000);
  });
});
