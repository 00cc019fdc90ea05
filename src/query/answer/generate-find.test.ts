import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { findQuote } from "./generate-find.ts";
import { fold } from "./generate-fold.ts";

const slice = (source: string, quote: string) => {
  const span = findQuote(fold(source), quote);
  return span && source.slice(span.start, span.end);
};

describe("findQuote", () => {
  test.each([
    ["Revenue  grew\nby 3 %.", "revenue grew by 3 %", "Revenue  grew\nby 3 %"],
    ["He said “no” – twice.", `he said "no" - twice.`, "He said “no” – twice."],
    ["the ﬁrst oﬃce", "the first office", "the ﬁrst oﬃce"],
    ["the first office", "the ﬁrst oﬃce", "the first office"],
    ["in\u00adfor\u00adma\u00adtion here", "information here", "in\u00adfor\u00adma\u00adtion here"],
    ["a\u200b b\u00a0c", "a b c", "a\u200b b\u00a0c"],
    ["Die STRASSE hier", "die Straße hier", "Die STRASSE hier"],
    ["Ο ΟΔΥΣΣΕΥΣ εδώ", "ο οδυσσευς εδώ", "Ο ΟΔΥΣΣΕΥΣ εδώ"],
    ["Nguye\u0302\u0303n hoàn tất", "Nguyễn hoàn tất", "Nguye\u0302\u0303n hoàn tất"],
    ["公司的收入\n增长了３％。", "收入增长了3%", "收入\n增长了３％"],
    ["รายได้เติบโตขึ้น", "เติบโต", "เติบโต"],
    ["wait… then", "wait... then", "wait… then"],
    ["x = „a“ + 'b'", 'x = "a" + "b"', "x = „a“ + 'b'"],
    [
      "It grew by **3 %** over *all* of `x.y`.",
      "grew by 3 % over all of x.y",
      "grew by **3 %** over *all* of `x.y",
    ],
    ["It grew by 3 % over all", "grew by **3 %** over", "grew by 3 % over"],
    ["is a * b or 2**3", "a * b or 2**3", "a * b or 2**3"],
    ["“Quoted in full.”", "Quoted in full.", "Quoted in full."],
  ])("in %j it finds %j", (source, quote, found) => {
    expect(slice(source, quote)).toBe(found);
  });

  test.each([
    ["grew by 30 %", "grew by 3"],
    ["grew by 2.5 %", "5 %"],
    ["grew by 3.5 %", "grew by 3"],
    ["1,234 units", "234 units"],
    ["fell by -3 %", "3 %"],
    ["10² metres", "102 metres"],
    ["it is 2**3", "it is 23"],
    ["it is 2*3", "it is 23"],
    ["the unprofitable year", "profitable year"],
    ["profits rose", "profit"],
    ["the ﬁrst", "irst"],
    ["anything", "  “” — "],
    ["anything", ""],
    ["snake_case_name", "case_name"],
  ])("in %j it does not find %j", (source, quote) => {
    expect(slice(source, quote)).toBeUndefined();
  });

  test("a later place counts when the first is part of a longer word", () => {
    const source = "unfair is not fair";
    expect(findQuote(fold(source), "fair")).toEqual({ start: 14, end: 18 });
  });
});

const words = [
  "Umsatz",
  "finance",
  "office",
  "l'été",
  "naïve",
  "“quoted”",
  "Straße",
  "3,5",
  "2023",
  "東京都",
  "doanh",
  "thu—đã",
  "réflexion",
  "ΟΔΟΣ",
];

/** Words made different from each other by a number, so that a slice stands in one place only. */
const sourceWords = fc
  .array(fc.constantFrom(...words), { minLength: 3, maxLength: 25 })
  .map((parts) => parts.map((part, index) => `${part}${"abcdefghijklmnopqrstuvwxyz"[index]}`));

const spaces = fc.constantFrom(" ", "  ", "\n", "\r\n", "\u00a0", "\t ", " \n\n ");
const ligatures = [
  ["ffi", "ﬃ"],
  ["fi", "ﬁ"],
  ["fl", "ﬂ"],
] as const;

/** Ways in which a quote may differ from its source and still be the same words. */
const disturbances: readonly ((text: string) => string)[] = [
  (text) => text.replace(/[“”]/g, '"').replace(/'/g, "’"),
  (text) => text.replace(/—/g, "-"),
  (text) => ligatures.reduce((all, [plain, joined]) => all.replaceAll(plain, joined), text),
  (text) => text.replace(/(\p{Ll})(?=\p{Ll})/gu, "$1\u00ad"),
  (text) => text.toUpperCase(),
  (text) => text.toLowerCase(),
  (text) => text.normalize("NFD"),
  (text) => text.replace(/\s+/g, "\n  "),
  (text) => text.replace(/(?<=^|\s)(\p{L}+)(?=\s|$)/gu, "**$1**"),
];

describe("for any source", () => {
  const sample = fc.tuple(
    sourceWords,
    fc.array(spaces, { minLength: 25, maxLength: 25 }),
    fc.nat(),
    fc.nat(),
  );

  /** A source and a slice of it from one word to another. */
  function build([parts, gaps, a, b]: [string[], string[], number, number]) {
    const from = a % parts.length;
    const to = from + 1 + (b % (parts.length - from));
    const starts: number[] = [];
    let source = "";
    for (const [index, part] of parts.entries()) {
      starts.push(source.length);
      source += part + (gaps[index] ?? " ");
    }
    const start = starts[from] ?? 0;
    const end = (starts[to - 1] ?? 0) + (parts[to - 1]?.length ?? 0);
    return { source, start, end };
  }

  test("a slice is found in its place, however it is disturbed", () => {
    fc.assert(
      fc.property(sample, fc.subarray([...disturbances.keys()]), (made, chosen) => {
        const { source, start, end } = build(made);
        const quote = chosen.reduce(
          (text, index) => disturbances[index]?.(text) ?? text,
          source.slice(start, end),
        );
        expect(findQuote(fold(source), quote)).toEqual({ start, end });
      }),
      { numRuns: 500 },
    );
  });

  test("a disturbed source still gives the undisturbed quote's place", () => {
    fc.assert(
      fc.property(sample, fc.subarray([...disturbances.keys()]), (made, chosen) => {
        const { source, start, end } = build(made);
        const disturb = (text: string) =>
          chosen.reduce((all, index) => disturbances[index]?.(all) ?? all, text);
        const [before, inside] = [disturb(source.slice(0, start)), disturb(source.slice(start, end))];
        const whole = before + inside + disturb(source.slice(end));
        const span = findQuote(fold(whole), source.slice(start, end));
        // Emphasis around the whole of it is not part of the place.
        expect(span && whole.slice(span.start, span.end)).toBe(inside.replace(/^\*\*|\*\*$/g, ""));
      }),
      { numRuns: 500 },
    );
  });

  test("one changed letter or digit is refused", () => {
    fc.assert(
      fc.property(sample, fc.nat(), (made, where) => {
        const { source, start, end } = build(made);
        const quote = [...source.slice(start, end)];
        const places = quote.flatMap((sign, index) => (/[\p{L}\p{N}]/u.test(sign) ? [index] : []));
        const at = places[where % places.length] ?? 0;
        quote[at] = /\p{N}/u.test(quote[at] ?? "")
          ? quote[at] === "7"
            ? "8"
            : "7"
          : quote[at] === "q"
            ? "w"
            : "q";
        expect(findQuote(fold(source), quote.join(""))).toBeUndefined();
      }),
      { numRuns: 500 },
    );
  });

  test("one word exchanged, left out or doubled is refused", () => {
    fc.assert(
      fc.property(
        sample,
        fc.nat(),
        fc.constantFrom("exchanged", "left out", "doubled"),
        (made, where, how) => {
          const { source, start, end } = build(made);
          const quote = source.slice(start, end).split(/(\s+)/);
          const at = 2 * (where % ((quote.length + 1) / 2));
          // Without its first or last word a quote is a shorter one.
          if (how === "left out") fc.pre(at > 0 && at < quote.length - 1);
          const word = quote[at] ?? "";
          const other = { exchanged: "other", "left out": "", doubled: `${word} ${word}` }[how];
          expect(findQuote(fold(source), quote.with(at, other).join(""))).toBeUndefined();
        },
      ),
      { numRuns: 500 },
    );
  });

  test("what is found says the quote's words, in any text of any script", () => {
    const text = fc
      .array(fc.string({ unit: "grapheme", minLength: 1, maxLength: 6 }), { minLength: 2, maxLength: 12 })
      .map((words) => words.map((word) => word.trim()).filter((word) => word !== ""));
    fc.assert(
      fc.property(text, fc.nat(), fc.nat(), (words, a, b) => {
        fc.pre(words.length > 0);
        const from = a % words.length;
        const quote = words.slice(from, from + 1 + (b % (words.length - from))).join(" ");
        const source = words.join("  ");
        const span = findQuote(fold(source), quote);
        const wanted = fold(quote).text.trim();
        if (span) expect(fold(source.slice(span.start, span.end)).text).toBe(wanted);
        // Only letters and digits at its ends make sure that it is whole.
        else expect(/^[a-z0-9].*[a-z0-9]$|^[a-z0-9]$/is.test(quote)).toBe(false);
      }),
      { numRuns: 1_000 },
    );
  });

  test("every unit of the folded text comes from a place in the original, in order", () => {
    fc.assert(
      fc.property(fc.string({ unit: "grapheme", maxLength: 60 }), (text) => {
        const { text: folded, starts, ends } = fold(text);
        expect([starts.length, ends.length]).toEqual([folded.length, folded.length]);
        starts.forEach((start, index) => {
          expect(start).toBeLessThan(ends[index] ?? 0);
          expect(start).toBeGreaterThanOrEqual(starts[index - 1] ?? 0);
          expect(ends[index]).toBeLessThanOrEqual(text.length);
        });
      }),
    );
  });
});
