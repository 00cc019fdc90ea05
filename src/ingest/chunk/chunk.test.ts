import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { type Chunk, type ChunkUnit, type Document, isKonteksError } from "../../spec/index.ts";
import { countTokens } from "../../text/count-tokens.ts";
import { readStructure } from "../../text/structure/index.ts";
import { chunk, chunkDocument, chunkerId, resolveChunkOptions } from "./chunk.ts";
import { countWords } from "./measure.ts";

const UNITS: readonly ChunkUnit[] = ["characters", "words", "tokens", "sentences", "paragraphs", "sections"];

const PIECES = [
  "a",
  "word ",
  "Two words. ",
  " ",
  "\n",
  "\n\n",
  "\r\n",
  "\r",
  "\t",
  "# ",
  "## B\n",
  "- ",
  "1. ",
  "```",
  "\n```\n",
  "| a | b |\n",
  "|---|---|\n",
  "}\n",
  "a,,b,",
  "é",
  "e\u0301",
  "\u0301",
  "😀",
  "👩‍👩‍👧",
  "🇮🇩",
  "\ud83d",
  "\ude00",
  "ก็",
  "ทดสอบ",
  "中文没有空格",
  "。",
  "한",
  "\u0600",
  "\ufeff",
  "\0",
  "xxxxxxxxxxxxxxxxxxxx",
  "function f() {\n  return 1;\n}\n",
  "z\u0351\u036b\u0343\u036a\u0302\u036b\u033d",
];
const ugly = fc.array(fc.constantFrom(...PIECES), { maxLength: 120 }).map((parts) => parts.join(""));

const options = fc.record({
  unit: fc.constantFrom(...UNITS),
  size: fc.integer({ min: 1, max: 60 }),
  share: fc.double({ min: 0, max: 0.99, noNaN: true }),
  structure: fc.boolean(),
  format: fc.constantFrom("markdown" as const, "code" as const, "text" as const),
});

describe("any text, any options", () => {
  const borders = (text: string): Set<number> => {
    const found = new Set([text.length]);
    for (const { index } of new Intl.Segmenter("und", { granularity: "grapheme" }).segment(text))
      found.add(index);
    return found;
  };

  test("chunks are slices in order, not blank, within the limit, between graphemes, and leave only blanks out", () => {
    fc.assert(
      fc.property(ugly, options, (text, { unit, size, share, structure, format }) => {
        const overlap = Math.floor(size * share);
        const chunks = chunk(text, { unit, size, overlap, structure, format });
        const allowed = borders(text);
        const front = readStructure(text, format).blocks.find((block) => block.kind === "metadata");
        let at = front?.end ?? 0;
        let previous: Chunk | undefined;
        chunks.forEach((each, ordinal) => {
          expect(text.slice(each.start, each.end)).toBe(each.text);
          expect(each.text.trim()).not.toBe("");
          expect(each.ordinal).toBe(ordinal);
          expect(text.slice(at, each.start).trim()).toBe("");
          expect(each.tokens).toBe(countTokens(each.text));
          expect(each.end).toBeGreaterThan(previous?.end ?? 0);
          if (previous) expect(each.start).toBeGreaterThan(previous.start);
          if (unit === "characters" && each.text.length > size) expect([...each.text].length).toBe(1);
          if (unit === "words")
            expect(countWords(each.text, { start: 0, end: each.text.length })).toBeLessThanOrEqual(size);
          if (unit === "tokens" && each.tokens > size) expect([...each.text].length).toBe(1);
          if (size >= 20) {
            expect(allowed.has(each.start) && allowed.has(each.end)).toBe(true);
          }
          at = each.end;
          previous = each;
        });
        expect(text.slice(at).trim()).toBe("");
      }),
      { numRuns: 1500 },
    );
  });

  test("the overlap is never more than was asked for", () => {
    fc.assert(
      fc.property(ugly, options, (text, { size, share, structure, format }) => {
        const overlap = Math.floor(size * share);
        const chunks = chunk(text, { unit: "characters", size, overlap, structure, format });
        for (const [index, { start }] of chunks.entries()) {
          expect((chunks[index - 1]?.end ?? 0) - start).toBeLessThanOrEqual(overlap);
        }
      }),
    );
  });
});

describe("limits", () => {
  test.each(UNITS)("%s: a long text without any border, then words, is cut and lost nowhere", (unit) => {
    const text = `${"x".repeat(50_000)} and then some words.`;
    const chunks = chunk(text, { unit });
    expect(chunks.length).toBeGreaterThan(1);
    expect(Math.max(...chunks.map((each) => each.text.length))).toBeLessThan(20_000);
    expect(chunks.at(-1)?.text.endsWith("then some words.")).toBe(true);
  });

  test("separators are not lost", () => {
    const chunks = chunk("a,,b,", { unit: "characters", size: 2, overlap: 0 });
    expect(chunks.map((each) => each.text).join("")).toBe("a,,b,");
  });

  test("repeated lines keep their own positions, with overlap", () => {
    const text = "}\n".repeat(40);
    const chunks = chunk(text, { unit: "characters", size: 60, overlap: 50, format: "code" });
    expect(chunks.map((each) => text.slice(each.start, each.end))).toEqual(chunks.map((each) => each.text));
    expect(new Set(chunks.map((each) => each.start)).size).toBe(chunks.length);
    expect(chunks.at(-1)?.lines[1]).toBe(40);
  });

  test("sentences and paragraphs are counted as a reader would", () => {
    const text = Array.from({ length: 40 }, (_, index) => `Sentence number ${index} is here.`).join(" ");
    for (const each of chunk(text, { unit: "sentences", size: 5, overlap: 1 })) {
      expect(each.text.split(". ").length).toBeLessThanOrEqual(5);
    }
    const paragraphs = text.replaceAll(". ", ".\n\n");
    for (const each of chunk(paragraphs, { unit: "paragraphs", size: 5 })) {
      expect(each.text.split("\n\n").length).toBeLessThanOrEqual(5);
    }
  });
});

describe("natural borders", () => {
  const prose = (words: number, seed = 1): string =>
    Array.from(
      { length: words },
      (_, index) => `w${(index * 7919 * seed) % 997}${index % 12 === 11 ? "." : ""}`,
    ).join(" ");

  test("small sections are whole, a heading never ends a chunk, and the path names the section", () => {
    const text = ["A", "B", "C", "D"]
      .map((name, index) => `# ${name}\n\n## Part of ${name}\n\n${prose(130, index + 1)}`)
      .join("\n\n");
    const chunks = chunk(text, { unit: "words", size: 150, overlap: 20, format: "markdown" });
    expect(chunks.map((each) => each.headings)).toEqual(
      ["A", "B", "C", "D"].map((name) => [name, `Part of ${name}`]),
    );
    expect(chunks.every((each) => each.text.startsWith("# "))).toBe(true);
  });

  test("sections unit: a heading with its text; headings without text go with the next; long ones are cut", () => {
    const text = `Intro.\n\n# A\n\n## B\n\nText.\n\n## C\n\n${prose(6000)}`;
    const chunks = chunk(text, { unit: "sections", format: "markdown" });
    expect(chunks.slice(0, 2).map((each) => each.text)).toEqual(["Intro.", "# A\n\n## B\n\nText."]);
    expect(chunks.length).toBeGreaterThan(5);
    expect(Math.max(...chunks.map((each) => each.tokens))).toBeLessThanOrEqual(2000);
    expect(chunks.at(-1)?.headings).toEqual(["A", "C"]);
  });

  test("a table is cut between rows, and its header is repeated beside the text", () => {
    const rows = Array.from({ length: 60 }, (_, index) => `| item ${index} | ${index * 3} |`);
    const header = "| name | price |\n|---|---|";
    const text = `Prices:\n\n${header}\n${rows.join("\n")}\n\nEnd.`;
    const chunks = chunk(text, { unit: "characters", size: 300, overlap: 60, format: "markdown" });
    expect(chunks.length).toBeGreaterThan(3);
    for (const each of chunks) {
      const lines = each.text.split("\n").filter((line) => line.includes("item"));
      expect(lines.every((line) => rows.includes(line))).toBe(true);
      if (each.text.startsWith("| item")) expect(each.repeated).toBe(header);
      else expect(each.repeated).toBeUndefined();
    }
  });

  test("functions stay whole where they fit", () => {
    const names = Array.from({ length: 20 }, (_, index) => `f${index}`);
    const body = "\n  const a = 1;\n\n  return a;\n";
    const text = names
      .map((name) => `/** Doc of ${name}. */\nexport function ${name}() {${body.repeat(3)}}`)
      .join("\n\n");
    const chunks = chunk(text, { unit: "characters", size: 400, overlap: 100, format: "code", id: "a.ts" });
    for (const each of chunks) {
      expect(each.text.startsWith("/** Doc of")).toBe(true);
      expect(each.text.endsWith("}")).toBe(true);
    }
    expect(chunks[0]?.headings).toEqual(["f0"]);
  });

  test("overlap begins at a sentence", () => {
    const text = Array.from(
      { length: 200 },
      (_, index) => `Sentence ${index} says ${prose(4 + (index % 7), index + 1)} and ends.`,
    ).join(" ");
    const chunks = chunk(text, { unit: "tokens", size: 200, overlap: 50 });
    const overlapping = chunks.filter(
      (each, index) => index > 0 && each.start < (chunks[index - 1]?.end ?? 0),
    );
    expect(overlapping.length).toBe(chunks.length - 1);
    expect(overlapping.every((each) => each.text.startsWith("Sentence "))).toBe(true);
  });

  test("front matter is no part of a chunk, and lines and pages are those of the file", () => {
    const text = "---\ntitle: T\n---\n\n# H\r\n\r\nBody.";
    const [only] = chunk(text, { format: "markdown" });
    expect(only).toMatchObject({ start: 18, lines: [5, 7], headings: ["H"], id: "text#0" });
    const document: Document = {
      id: "d",
      text: "One.\n\nTwo.",
      title: "d",
      uri: "d",
      format: "pdf",
      metadata: {},
      outline: [],
      blocks: [],
      pages: [
        { number: 1, start: 0 },
        { number: 2, start: 6 },
      ],
    };
    expect(chunkDocument(document, {})[0]?.pages).toEqual([1, 2]);
    expect(chunkDocument(document, { unit: "paragraphs", size: 1 }).map((each) => each.pages)).toEqual([
      [1, 1],
      [2, 2],
    ]);
  });
});

describe("options", () => {
  test("have a default for every unit", () => {
    expect(resolveChunkOptions()).toEqual({ unit: "tokens", size: 800, overlap: 150, structure: true });
    expect(resolveChunkOptions({ unit: "characters", size: 100 }).overlap).toBe(20);
    expect(chunkerId({ unit: "words" })).toBe("words:500/50:structure:v2");
  });

  test.each([
    { size: 0 },
    { size: 1.5 },
    { size: 10, overlap: 10 },
    { overlap: -1 },
    { overlap: 800 },
    { size: Number.NaN },
  ])("%j is refused", (wrong) => {
    let error: unknown;
    try {
      chunk("text", wrong);
    } catch (caught) {
      error = caught;
    }
    expect(isKonteksError(error, "wrong-option")).toBe(true);
  });
});
