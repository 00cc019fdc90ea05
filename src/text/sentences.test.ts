import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { sentences } from "./sentences.ts";

const split = (text: string, language?: string): string[] =>
  sentences(text, language).map(({ start, end }) => text.slice(start, end));

describe("sentences", () => {
  test.each<[string, string[], string?]>([
    ["Dr. Who met e.g. Ms. Lee vs. Bob. They left.", ["Dr. Who met e.g. Ms. Lee vs. Bob.", "They left."]],
    ["Foo Inc. The firm grew 3.5 %. See No. 5.", ["Foo Inc. The firm grew 3.5 %.", "See No. 5."]],
    ["PT. Maju Tbk. Naik 3,5 persen. Selesai!", ["PT. Maju Tbk. Naik 3,5 persen.", "Selesai!"], "id"],
    ["Version 1.2.3 is out. J. R. Smith wrote it.", ["Version 1.2.3 is out.", "J. R. Smith wrote it."]],
    ["Wrapped at\nthe margin. Next\r\none.", ["Wrapped at\nthe margin.", "Next\r\none."]],
    ["收入增长。利润呢？好！“是的。”他说。", ["收入增长。", "利润呢？", "好！", "“是的。”", "他说。"], "zh"],
    ["- one\n- two\n\n1. three\n2. four", ["- one", "- two", "1. three", "2. four"]],
    ["# Title\nText goes\non.", ["# Title", "Text goes\non."]],
    ["", []],
    [" \n ", []],
  ])("%j", (text, expected, language) => {
    expect(split(text, language)).toEqual(expected);
  });

  test("Thai is parted at its spaces, not after a few letters", () => {
    const clause = "ทีมรับของแพนเธอร์สเสียแต้มเพียงสามร้อยแปดแต้มเป็นอันดับที่หกของลีกในปีนั้น";
    expect(split(`${clause} ${clause} และ ${clause}`, "th").length).toBe(3);
  });

  test("every character that is not blank is in exactly one sentence", () => {
    const piece = fc.constantFrom(
      "a",
      "B.",
      " ",
      "\n",
      "\r\n",
      "\r",
      "。",
      "- ",
      "1. ",
      "!",
      "ก",
      "😀",
      "\ud83d",
      "e.g. ",
      "# ",
      "”",
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 80 }), (parts) => {
        const text = parts.join("");
        let at = 0;
        for (const { start, end } of sentences(text)) {
          expect(text.slice(at, start).trim()).toBe("");
          expect(text.slice(start, end).trim()).toBe(text.slice(start, end));
          expect(end).toBeGreaterThan(start);
          at = end;
        }
        expect(text.slice(at).trim()).toBe("");
      }),
    );
  });

  test("the time grows with the length, also without line ends and without full stops", () => {
    const started = performance.now();
    sentences("a word and ".repeat(100_000));
    sentences(`${"# x ".repeat(1000)}\n`.repeat(100));
    sentences(`${" ".repeat(200_000)}\n${"\n".repeat(200_000)}x`);
    expect(performance.now() - started).toBeLessThan(3000);
  });
});
