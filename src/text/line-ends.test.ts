import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { sentences } from "./sentences.ts";

const split = (text: string): string[] => sentences(text).map(({ start, end }) => text.slice(start, end));

describe("line ends", () => {
  test.each([
    [
      "a log",
      "2026-01-01 12:00:01 INFO start\n2026-01-01 12:00:02 WARN slow disk on host a\n2026-01-01 12:00:03 INFO ok",
    ],
    ["a log with names of months", "Nov 30 10:00:01 host app: start\nNov 30 10:00:09 host app: end"],
    ["a list without signs", "apples\nbread and butter with milk\npears\nmilk"],
    [
      "verse",
      "Two roads diverged in a yellow wood,\nAnd sorry I could not travel both\nAnd be one traveler, long I stood\nAnd looked down one as far as I could\nTo where it bent in the undergrowth",
    ],
    ["lines of a script without blanks", "春眠不觉晓\n处处闻啼鸟夜来风雨声花落知多少也\n空山不见人\n明月"],
  ])("those of %s part", (_, text) => {
    expect(split(text)).toEqual(text.split("\n"));
  });

  test.each([
    [
      "wrapped text",
      "The first line of prose that was wrapped at a margin\nof about fifty characters, as mails are, and which\ngoes on for some lines until it comes to an\nend.",
    ],
    [
      "text broken clause by clause",
      "The quick fox,\nwhich had not eaten for a very long time,\njumps\nover the dog.",
    ],
  ])("those of %s do not", (_, text) => {
    expect(split(text)).toEqual([text]);
  });

  test("prose wrapped at any width stays one sentence", () => {
    const word = fc.stringMatching(/^[a-z]{1,9}$/);
    fc.assert(
      fc.property(
        fc.array(word, { minLength: 60, maxLength: 120 }),
        fc.integer({ min: 50, max: 90 }),
        (words, width) => {
          const text = `The ${wrapped(words, width)} end.`;
          expect(split(text)).toEqual([text]);
        },
      ),
    );
  });

  test("each entry of a log is one sentence, whatever its words are", () => {
    const message = fc.stringMatching(/^[a-z]{2,8}( [a-z]{2,8}){0,9}$/);
    fc.assert(
      fc.property(fc.array(message, { minLength: 2, maxLength: 40 }), (messages) => {
        const lines = messages.map((words, i) => `10:${String(10 + i)}:00 ${words}`);
        expect(split(lines.join("\n"))).toEqual(lines);
      }),
    );
  });
});

function wrapped(words: readonly string[], width: number): string {
  let line = 4;
  return words.reduce((text, word) => {
    const fits = line + word.length + 1 <= width;
    line = fits ? line + word.length + 1 : word.length;
    return `${text}${text === "" ? "" : fits ? " " : "\n"}${word}`;
  }, "");
}
