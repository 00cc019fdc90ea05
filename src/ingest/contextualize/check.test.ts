import { describe, expect, test } from "vitest";
import { faultOf } from "./check.ts";

const document = {
  id: "reports/acme.md",
  title: "ACME quarterly report",
  text:
    "# ACME, Q2 2023\n\nRevenue grew by 3 % over the previous quarter to $314 million. The board in Lisbon thanked " +
    "Ms Okonkwo-Lind. Sales in 1,204 shops rose, and costs fell considerably in the same period of the year.",
  language: "en",
  format: "markdown" as const,
  metadata: { author: "Jane Smithers" },
};
const chunk = "Sales in 1,204 shops rose, and costs fell considerably in the same period of the year.";
const kindOf = (text: string, fields: Partial<typeof document> = {}) =>
  faultOf({ text, chunk, document: { ...document, ...fields }, maxTokens: 200 })?.kind;

test.each([
  "From ACME's report on Q2 2023: how sales in its shops and its costs developed against the previous quarter.",
  "Sales of ACME in 1204 shops, Q2 2023, when revenue was 314 million dollars; thanks to Okonkwo-Lind.",
  "The chunk, in Jane Smithers's report, gives the shops' sales.",
])("a context that situates its chunk passes: %s", (text) => {
  expect(kindOf(text)).toBeUndefined();
});

test.each([
  ["blank", "  \n"],
  ["refusal", "I'm sorry, but I cannot help with that."],
  ["refusal", "Maaf, saya tidak dapat membantu."],
  ["lead-in", "Here is the context: sales of ACME."],
  ["lead-in", "**Context:** sales of ACME."],
  ["lead-in", "Konteks: penjualan ACME."],
  ["too-long", "sales of shops ".repeat(200)],
  ["copy", "Sales in 1,204 shops rose, and costs fell considerably in the same period of the year."],
  ["copy", "ACME: sales in 1,204 shops rose, and costs fell considerably in the same period"],
  ["unknown-number", "Sales of ACME in the second quarter of 2019."],
  ["unknown-name", "Sales of ACME, a rival of Globex from Springfield, in the second quarter."],
  [
    "language",
    "Bagian ini berasal dari laporan yang menjelaskan bagaimana penjualan di toko-toko naik dan biaya turun pada tahun itu.",
  ],
])("%s: %s", (kind, text) => {
  expect(kindOf(text)).toBe(kind);
});

describe("what may look wrong and is not", () => {
  test("one word with a capital may be the writer's own; German nouns have one each", () => {
    expect(kindOf("Part of the Overview of ACME's quarter.")).toBeUndefined();
    const german = "Aus dem Bericht der ACME über den Umsatz, mit Zahlen zum Quartal und zu den Kosten.";
    expect(kindOf(german, { language: "de", text: document.text })).not.toBe("unknown-name");
  });

  test("the language of contexts for code is not judged by the words of the code", () => {
    const text = "Bagian ini berasal dari laporan yang menjelaskan bagaimana penjualan di toko-toko naik.";
    expect(
      faultOf({ text, chunk, document: { ...document, format: "code" }, maxTokens: 200 }),
    ).toBeUndefined();
  });

  test("without the document only what needs none is judged", () => {
    expect(
      faultOf({ text: "Sales of Globex in 1987.", chunk: "", document: undefined, maxTokens: 200 }),
    ).toBeUndefined();
  });
});
