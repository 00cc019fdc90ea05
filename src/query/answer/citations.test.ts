import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Evidence, Metadata } from "../../spec/index.ts";
import { checkAnswer } from "./citations.ts";
import { evidenceOf } from "./evidence.fixture.ts";
import { dropUnsupported } from "./strict.ts";

const text = "In the quarter\nthe company’s revenue\ngrew by 3 %.";
type Quote = readonly [number: number, words: string];

function check(
  answer: string,
  quotes: readonly Quote[],
  evidence: readonly Evidence[] = [evidenceOf(text)],
  facts: { readonly metadata?: Metadata; readonly opening?: readonly string[] } = {},
) {
  return checkAnswer({
    question: "How did it go?",
    answer,
    quotes: quotes.map(([number, words]) => ({ number, words })),
    evidence: evidence.map((one, i) => ({ ...one, number: i + 1 })),
    sourceFacts: () => ({ metadata: {}, opening: [], ...facts }),
    language: "en",
  });
}

describe("quotes", () => {
  test("one that stands in the source is a slice of the document, with its lines", () => {
    const { citations, notes } = check("Revenue grew [1].", [[1, "the company's revenue grew by 3 %"]]);
    expect(notes).toEqual([]);
    expect(citations).toEqual([
      {
        number: 1,
        chunkId: "report.md#3",
        documentId: "report.md",
        title: "ACME, Q2 2023",
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
    const { citations, sentences, notes } = check("It grew [1].", [[1, "grew by 5 %"]]);
    expect(citations).toMatchObject([
      { verified: false, quote: text, start: 500, end: 500 + text.length, lines: [10, 12] },
    ]);
    expect(notes).toEqual(['The words quoted from [1] do not stand there: "grew by 5 %".']);
    expect(sentences).toMatchObject([{ verdict: "unsupported" }]);
  });

  test("words of the context are not the source's", () => {
    expect(check("It is ACME [1].", [[1, "From: ACME"]]).citations).toMatchObject([{ verified: false }]);
  });

  test("without quoted words only a sentence copied from the source counts", () => {
    expect(check("It grew [1].", [])).toMatchObject({
      citations: [{ verified: false }],
      notes: ["No words were quoted from [1], so it could not be checked."],
      sentences: [
        { verdict: "unsupported", reasons: ["No words that it rests on were found in what it cites."] },
      ],
    });
    expect(check("The company's revenue grew by 3 % [1].", [])).toMatchObject({
      citations: [{ verified: true }],
      notes: [],
      sentences: [{ verdict: "supported" }],
    });
  });

  test("a source that does not exist", () => {
    expect(check("It grew [4].", [[4, "x"]])).toMatchObject({
      text: "It grew.",
      citations: [],
      notes: [
        "The answer cited sources that do not exist (4); the numbers were removed.",
        "The answer cites no source.",
      ],
    });
  });

  test("several quotes of a source are a citation each; the same one twice is one", () => {
    const quotes: Quote[] = [
      [1, "In the quarter"],
      [1, "grew by 3 %"],
      [1, "Grew by 3 %"],
    ];
    const { citations } = check("A [1].", quotes, [evidenceOf(text, { pages: [4, 4] })]);
    expect(citations.map(({ quote, lines, pages }) => ({ quote, lines, pages }))).toEqual([
      { quote: "In the quarter", lines: [10, 10], pages: [4, 4] },
      { quote: "grew by 3 %", lines: [12, 12], pages: [4, 4] },
    ]);
  });

  test("words of another source are not this one's; where they stand is told", () => {
    const sources = [evidenceOf("Something else."), evidenceOf(text, { documentId: "b.md" })];
    expect(check("A [2].", [[2, "grew by 3 %"]], sources).citations).toMatchObject([
      { number: 2, documentId: "b.md", verified: true },
    ]);
    const wrong = check("A [1].", [[1, "grew by 3 %"]], sources);
    expect(wrong.citations).toMatchObject([{ number: 1, verified: false }]);
    expect(wrong.notes[0]).toMatch(/They stand in \[2\]\.$/);
  });

  test("in a passage of two chunks a quote belongs to the chunk it begins in", () => {
    const chunks = [
      { id: "r#0", start: 500, end: 515 },
      { id: "r#1", start: 515, end: 549 },
    ];
    const { citations } = check(
      "A [1].",
      [
        [1, "In the quarter"],
        [1, "grew"],
      ],
      [evidenceOf(text, { chunks })],
    );
    expect(citations.map(({ chunkId }) => chunkId)).toEqual(["r#0", "r#1"]);
  });
});

describe("names, numbers and dates", () => {
  const revenue = evidenceOf("Revenue grew by 3 % over the quarter before. Costs fell by 5 %.");
  const quote: Quote[] = [[1, "Revenue grew by 3 %"]];
  const verdictOf = (answer: string, ...rest: [Evidence[]?, Parameters<typeof check>[3]?]) => {
    const { sentences } = check(answer, quote, rest[0] ?? [revenue], rest[1]);
    return [sentences[0]?.verdict, ...(sentences[0]?.reasons ?? [])].join(" ");
  };

  test("may stand in the source's title, which is then shown with the citation", () => {
    const { sentences, citations } = check("ACME's revenue grew by 3 % in Q2 2023 [1].", quote, [revenue]);
    expect(sentences).toMatchObject([{ verdict: "supported", citations: [0], reasons: [] }]);
    expect(citations[0]?.support).toEqual(
      ["2023", "ACME", "Q2"].map((fact) => ({ fact, place: "title", words: "ACME, Q2 2023" })),
    );
  });

  test("or in its headings, metadata and opening lines", () => {
    const bare = { ...revenue, title: "report", headings: ["Second quarter, Berlin"] };
    const facts = { metadata: { company: "ACME" }, opening: ["Prepared on 30 June 2023"] };
    const { citations } = check(
      "In Berlin ACME's revenue grew by 3 % (2023-06-30) [1].",
      quote,
      [bare],
      facts,
    );
    expect(citations[0]?.support).toEqual([
      { fact: "2023-06-30", place: "opening", words: "Prepared on 30 June 2023" },
      { fact: "Berlin", place: "headings", words: "Second quarter, Berlin" },
      { fact: "ACME", place: "metadata", words: "company: ACME" },
    ]);
  });

  test.each([
    ["Globex's revenue grew by 3 % [1].", "Globex"],
    ["Globex revenue grew by 3 % in Q2 2023 [1].", "Globex"],
    ["The revenue of Globex grew by 3 % [1].", "Globex"],
    ["ACME's revenue grew by 4 % [1].", "4"],
    ["ACME's revenue grew by 30 % [1].", "30"],
    ["ACME's revenue grew by 3 % in Q3 2023 [1].", "Q3"],
    ["ACME's revenue grew by 3 % in Q2 2024 [1].", "2024"],
    ["ACME's revenue grew by 3 % until 30 June 2023 [1].", "30 June 2023"],
  ])("%s rests on nothing", (answer, fact) => {
    expect(verdictOf(answer)).toBe(
      `unsupported "${fact}" stands neither in what it cites nor in the title, headings, metadata or opening lines there.`,
    );
  });

  test("a number of another sentence of the passage is not the quoted one's", () => {
    expect(verdictOf("Revenue grew by 5 % [1].")).toBe(
      'unsupported "5" stands in the source, but not in the quoted words.',
    );
  });

  test("the context of a chunk supports nothing", () => {
    const bare = { ...revenue, title: "report", headings: [], orientation: ["ACME, 2023"] };
    expect(verdictOf("ACME's revenue grew by 3 % [1].", [bare])).toMatch(/^unsupported "ACME"/);
  });

  test("a currency in front of a figure is no part of a code", () => {
    const costs = evidenceOf("Costs came to RMB59,659 million.");
    const said = (answer: string) =>
      check(answer, [[1, "Costs came to RMB59,659 million"]], [costs]).sentences[0]?.verdict;
    expect(said("They cost RMB 59,659 million [1].")).toBe("supported");
    expect(said("They cost RMB59,660 million [1].")).toBe("unsupported");
  });

  test("a row of a table has its header row with it", () => {
    const table = evidenceOf(
      "| City | 2021 | 2022 |\n| --- | --- | --- |\n| Berlin | 3.68 | 3.76 |\n| Bern | 0.13 | 0.14 |",
    );
    const { sentences } = check("In 2022 Berlin had 3.76 [1].", [[1, "| Berlin | 3.68 | 3.76 |"]], [table]);
    expect(sentences).toMatchObject([{ verdict: "supported" }]);
  });

  test("a sentence that has nothing to do with the quote is not supported by it", () => {
    expect(verdictOf("Whales feed mainly on plankton [1].")).toBe(
      "unsupported It shares no word with what it cites.",
    );
  });

  test("a sentence without a mark is not supported; a lead-in or heading needs no support", () => {
    const { sentences } = check("## Revenue\n\nThe figures:\n\n- It grew by 3 % [1]\n- Costs fell", quote, [
      revenue,
    ]);
    expect(sentences.map(({ verdict }) => verdict)).toEqual(["none", "none", "supported", "unsupported"]);
  });

  test("strict leaves out what is not supported, and says so", () => {
    const checked = check(
      "Revenue grew by 3 % [1]. Globex fell by 9 % [1]. It was over the quarter [1].",
      quote,
      [revenue],
    );
    const strict = dropUnsupported(checked);
    expect(strict.text).toBe("Revenue grew by 3 % [1]. It was over the quarter [1].");
    for (const { start, end } of strict.sentences) expect(strict.text.slice(start, end)).toMatch(/^\w.*\.$/);
    expect(strict.notes.at(-1)).toBe("1 sentence was left out because nothing cited supports it.");
    expect(dropUnsupported(check("It rose by 9 % [1].", quote, [revenue])).text).toBe("");
  });

  test("any one number changed in a supported sentence is refused", () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 99_999 }), fc.integer({ min: 1, max: 99_999 }), (real, said) => {
        const source = evidenceOf(`Revenue came to ${real} pieces in the year.`, {
          title: "Report",
          headings: [],
        });
        const { sentences } = check(
          `Revenue came to ${said} pieces [1].`,
          [[1, `Revenue came to ${real} pieces`]],
          [source],
        );
        expect(sentences[0]?.verdict).toBe(real === said ? "supported" : "unsupported");
      }),
    );
  });
});

describe("a sentence that says the opposite", () => {
  const clause = "The tenant may not sublet the flat without consent. The tenant may keep a cat.";
  const verdictOf = (answer: string, words: string) =>
    check(answer, [[1, words]], [evidenceOf(clause)]).sentences[0];

  test.each([
    [
      "The tenant may sublet the flat [1].",
      "The tenant may not sublet the flat",
      "The quoted words deny what it says.",
    ],
    [
      "The tenant may not keep a cat [1].",
      "The tenant may keep a cat.",
      "It denies what the quoted words say.",
    ],
  ])("%s", (answer, words, reason) => {
    expect(verdictOf(answer, words)).toMatchObject({ verdict: "unsupported", reasons: [reason] });
  });

  test.each([
    ["The tenant may not sublet the flat [1].", "The tenant may not sublet the flat"],
    ["The tenant may keep a cat [1].", "The tenant may keep a cat."],
    ["Subletting needs consent [1].", "The tenant may not sublet the flat without consent."],
  ])("but not %s", (answer, words) => {
    expect(verdictOf(answer, words)).toMatchObject({ verdict: "supported" });
  });
});
