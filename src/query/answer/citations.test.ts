import { describe, expect, test } from "vitest";
import type { Hit } from "../../spec/index.ts";
import { checkCitations, readMarkers } from "./citations.ts";
import { splitReply } from "./generate-reply.ts";

/** A hit somewhere inside a document. */
function hitOf(text: string, fields: Partial<Hit> = {}): Hit {
  return {
    chunkId: "report.md#3",
    documentId: "report.md",
    title: "ACME, Q2",
    uri: "/docs/report.md",
    headings: ["Results"],
    lines: [10, 10 + text.split("\n").length - 1],
    start: 500,
    end: 500 + text.length,
    text,
    context: { kind: "structural", text: "[From: ACME]" },
    metadata: {},
    rank: 1,
    score: 1,
    scoreKind: "rrf",
    scores: {},
    ranks: {},
    ...fields,
  };
}

describe("readMarkers", () => {
  test.each([
    ["One [2]. Two [1].", "One [2]. Two [1].", [2, 1], []],
    ["Both [1, 3].", "Both [1, 3].", [1, 3], []],
    ["All [1-3].", "All [1-3].", [1, 2, 3], []],
    ["Both [1][2].", "Both [1][2].", [1, 2], []],
    ["Wide 【2】.", "Wide [2].", [2], []],
    ["Gone [9].", "Gone.", [], [9]],
    ["Part [2, 9].", "Part [2].", [2], [9]],
    ["None [0].", "None.", [], [0]],
    ["Turned [3-1].", "Turned [3-1].", [3, 1], []],
    ["In code `a[9]` stays [1].", "In code `a[9]` stays [1].", [1], []],
    ["```\nx[7]\n```\nas shown [2].", "```\nx[7]\n```\nas shown [2].", [2], []],
    ["The year [2023] and a link [1](x).", "The year [2023] and a link [1](x).", [], []],
  ])("%j", (answer, text, numbers, unknown) => {
    expect(readMarkers(answer, 3)).toEqual({ text, numbers, unknown });
  });
});

describe("splitReply", () => {
  test("takes the tail off and reads a quote a line, with or without marks around it", () => {
    const reply =
      'It grew [1].\n\n<quotes>\n[1] "grew by 3 %"\n- [2]: two\nlines\n\n[1] more\n</quotes>\nBye.';
    expect(splitReply(reply)).toEqual({
      answer: "It grew [1].",
      quotes: [
        { number: 1, words: "grew by 3 %" },
        { number: 2, words: "two\nlines" },
        { number: 1, words: "more" },
      ],
    });
  });

  test("a tail without an end, in a code fence, or none at all", () => {
    expect(splitReply("A [1].\n<QUOTES>\n[1] cut of").quotes).toEqual([{ number: 1, words: "cut of" }]);
    expect(splitReply("A [1].\n```\n<quotes>\n[1] x\n</quotes>\n```").answer).toBe("A [1].");
    expect(splitReply(" A [1]. ")).toEqual({ answer: "A [1].", quotes: [] });
  });
});

describe("checkCitations", () => {
  const text = "In the quarter\nthe company’s revenue\ngrew by 3 %.";

  test("a quote that stands in the source is a slice of the document, with its lines", () => {
    const hit = hitOf(text);
    const { citations, notes } = checkCitations(
      "It grew [1].",
      [{ number: 1, words: "the company's revenue grew by 3 %" }],
      [hit],
    );
    expect(notes).toEqual([]);
    expect(citations).toEqual([
      {
        number: 1,
        chunkId: "report.md#3",
        documentId: "report.md",
        title: "ACME, Q2",
        uri: "/docs/report.md",
        headings: ["Results"],
        lines: [11, 12],
        start: 515,
        end: 548,
        quote: "the company’s revenue\ngrew by 3 %",
        verified: true,
      },
    ]);
    const document = `${"x".repeat(500)}${text}`;
    expect(document.slice(citations[0]?.start, citations[0]?.end)).toBe(citations[0]?.quote);
  });

  test("words that do not stand there are not verified, and said", () => {
    const { citations, notes } = checkCitations(
      "It grew [1].",
      [{ number: 1, words: "grew by 5 %" }],
      [hitOf(text)],
    );
    expect(citations).toMatchObject([
      { verified: false, quote: text, start: 500, end: 500 + text.length, lines: [10, 12] },
    ]);
    expect(notes).toEqual(['The words quoted from [1] do not stand there: "grew by 5 %".']);
  });

  test("words of the context are not the source's", () => {
    const { citations } = checkCitations(
      "It is ACME [1].",
      [{ number: 1, words: "From: ACME" }],
      [hitOf(text)],
    );
    expect(citations).toMatchObject([{ verified: false }]);
  });

  test("a source without quoted words, one that does not exist, and an answer without any", () => {
    expect(checkCitations("It grew [1].", [], [hitOf(text)])).toMatchObject({
      citations: [{ verified: false }],
      notes: ["No words were quoted from [1], so it could not be checked."],
    });
    expect(checkCitations("It grew [4].", [{ number: 4, words: "x" }], [hitOf(text)])).toEqual({
      text: "It grew.",
      citations: [],
      notes: [
        "The answer cited sources that do not exist (4); the numbers were removed.",
        "The answer cites no source.",
      ],
    });
  });

  test("several quotes of a source are a citation each; the same one twice is one", () => {
    const quotes = ["In the quarter", "grew by 3 %", "Grew by 3 %"].map((words) => ({ number: 1, words }));
    const { citations } = checkCitations("A [1].", quotes, [hitOf(text, { pages: [4, 4] })]);
    expect(citations.map(({ quote, lines, pages }) => ({ quote, lines, pages }))).toEqual([
      { quote: "In the quarter", lines: [10, 10], pages: [4, 4] },
      { quote: "grew by 3 %", lines: [12, 12], pages: [4, 4] },
    ]);
  });

  test("the number says which source is meant", () => {
    const hits = [hitOf("Something else."), hitOf(text, { chunkId: "b#0" })];
    const quotes = [{ number: 2, words: "grew by 3 %" }];
    expect(checkCitations("A [2].", quotes, hits).citations).toMatchObject([
      { number: 2, chunkId: "b#0", verified: true },
    ]);
    expect(checkCitations("A [1].", [{ number: 1, words: "grew by 3 %" }], hits).citations).toMatchObject([
      { number: 1, verified: false },
    ]);
  });
});
