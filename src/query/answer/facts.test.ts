import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { datesOf, saysDate } from "./facts-dates.ts";
import { namesOf } from "./facts-names.ts";
import { numbersOf } from "./facts-numbers.ts";

const values = (text: string, words = false) =>
  numbersOf(text, { words }).map((number) => number.values.join("|"));

describe("numbers", () => {
  test.each([
    ["grew by 3 %", ["3"]],
    ["3.50 and 3,5 and 007", ["3.5", "3.5", "7"]],
    ["1,234 units", ["1234|1.234"]],
    ["1.234.567,80 EUR and 1,234,567.8", ["1234567.8", "1234567.8"]],
    ["12 500 and 12'500", ["12500", "12500"]],
    ["314 million, 2 juta, 3万", ["314|314000000", "2|2000000", "3|30000"]],
    ["SKU-4521, Q2, v3.1 and file_7", []],
    ["5km, 1982年, ３％", ["5", "1982", "3"]],
    ["٣ and ๓", ["3", "3"]],
  ])("%j", (text, expected) => expect(values(text)).toEqual(expected));

  test("written out", () => {
    expect(values("ninety days, twenty-five, tiga, 一九八二年, 二十五", true)).toEqual([
      "90",
      "25",
      "3",
      "1982",
      "25",
    ]);
  });

  test.each([
    ["one hundred and twenty-three thousand four hundred and five", ["123405"]],
    ["two thousand and twenty-three; nineteen eighty-four", ["2023", "19", "84"]],
    ["one two three, twenty twenty, ten five", ["1", "2", "3", "20", "20", "10", "5"]],
    [
      "sembilan puluh hari, dua belas, seratus dua puluh lima, seribu sembilan ratus",
      ["90", "12", "125", "1900"],
    ],
    ["sáu mươi ngày, mười lăm, hai mươi lăm, một trăm lẻ năm, ba mươi năm", ["60", "15", "25", "105", "30"]],
    ["Năm 2023 ba tôi ở nhà tư", ["2023"]],
    ["fünfundneunzig, neunzig, zwölf", ["95", "90", "12"]],
  ])("written out: %j", (text, expected) => expect(values(text, true)).toEqual(expected));

  test("a number grouped in any country's way keeps its value", () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1_000, max: 999_999_999 }),
        fc.constantFrom(",", ".", "'", "\u202f"),
        (n, sign) => {
          const grouped = n.toString().replace(/\B(?=(\d{3})+$)/g, sign);
          expect(numbersOf(`x ${grouped} y`)[0]?.values).toContain(String(n));
        },
      ),
    );
  });
});

describe("dates", () => {
  test.each([
    "30 June 2023",
    "June 30th, 2023",
    "2023-06-30",
    "30/06/2023",
    "30.6.2023",
    "30 Juni 2023",
    "2023年6月30日",
    "ngày 30 tháng 6 năm 2023",
    "30 de junio de 2023",
  ])("%j is the same day", (text) => {
    const [date] = datesOf(`on ${text}, then`);
    expect(date?.readings.some((known) => saysDate(known, { year: 2023, month: 6, day: 30 }))).toBe(true);
    expect(date?.readings.some((known) => saysDate(known, { year: 2023, month: 6, day: 29 }))).toBe(false);
  });

  test("words that are months elsewhere are no dates", () => {
    expect(datesOf("It may march on 1.5 of mars; x2023-1")).toEqual([]);
  });
});

describe("names", () => {
  const options = {
    isCommon: (word: string) => word === "revenue",
    isName: (word: string) => word === "Globex",
  };
  const names = (text: string, language = "en") =>
    namesOf(text, { ...options, language }).map((name) => name.text);
  test.each([
    ["Revenue of ACME grew in Q2.", ["ACME", "Q2"]],
    ["Globex grew, says Ms. Miller.", ["Globex", "Ms", "Miller"]],
    ["The SKU-4521 calls getUserById.", ["SKU-4521", "getUserById"]],
    ["Initech's staff and Hans left.", ["Initech", "Hans"]],
    ["Turnover rose.", []],
    ["However, all is well.", []],
    ["Employees left.", []],
    ["公司使用 React 框架。", ["React"]],
    ["売上はマイクロソフトによる。", ["マイクロソフト"]],
  ])("%j", (text, expected) => expect(names(text)).toEqual(expected));

  test("German nouns are no names, acronyms and known names are", () => {
    expect(names("Der Umsatz der ACME und von Globex stieg.", "de")).toEqual(["ACME", "Globex"]);
  });
});
