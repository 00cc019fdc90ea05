import fc from "fast-check";
import { expect, test } from "vitest";
import { isKonteksError } from "../spec/index.ts";
import { parseWhere } from "./where.ts";

test.each([
  ['company="ACME"', { field: "company", op: "eq", value: "ACME" }],
  ["year >= 2023", { field: "year", op: "gte", value: 2023 }],
  ["uri ^= 'docs/a b'", { field: "uri", op: "prefix", value: "docs/a b" }],
  ["draft = true", { field: "draft", op: "eq", value: true }],
  ["owner = null", { field: "owner", op: "eq", value: null }],
  ["language in (id, vi, 'zh')", { field: "language", op: "in", values: ["id", "vi", "zh"] }],
  ["tag != x", { not: { field: "tag", op: "eq", value: "x" } }],
  [String.raw`"công ty" = "say \"hi\""`, { field: "công ty", op: "eq", value: 'say "hi"' }],
  ["date < 2024-01-31", { field: "date", op: "lt", value: "2024-01-31" }],
])("%s", (text, filter) => {
  expect(parseWhere(text)).toEqual(filter);
});

test("and binds closer than or; brackets and not change that", () => {
  const a = { field: "a", op: "eq", value: 1 };
  const b = { field: "b", op: "eq", value: 2 };
  const c = { field: "c", op: "eq", value: 3 };
  expect(parseWhere("a=1 or b=2 and c=3")).toEqual({ or: [a, { and: [b, c] }] });
  expect(parseWhere("(a=1 or b=2) and not c=3")).toEqual({ and: [{ or: [a, b] }, { not: c }] });
});

test.each([
  ["year >", /at the end: a value was expected/],
  ["= 3", /at character 1.*a field was expected/],
  ["year 2023", /at character 6.*one of = != < <= > >= \^= in/],
  ['company = "ACME', /at character 11.*closing quote/],
  ["(a = 1", /at the end: "\)" was expected/],
  ["a = 1 b = 2", /at character 7.*"and", "or" or the end/],
  ["", /at the end: a field was expected/],
  ["a > true", /needs a number or a text/],
])("%s is refused at its place", (text, message) => {
  expect(() => parseWhere(text)).toThrow(message);
});

test("any text gives a filter or a typed error", () => {
  fc.assert(
    fc.property(fc.string(), (text) => {
      try {
        parseWhere(text);
      } catch (error) {
        expect(isKonteksError(error, "wrong-option")).toBe(true);
      }
    }),
  );
});
