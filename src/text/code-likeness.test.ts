import { expect, test } from "vitest";
import { looksLikeCode } from "./code-likeness.ts";

test.each([
  [
    "Python",
    'def images(self) -> list:\n    """\n    Get the images. They are read once.\n    """\n    found = []\n    return found',
  ],
  ["two lines of Python", "for row in rows:\n    total += row.amount"],
  ["Rust with a comment", "/// Runs it. Then ends.\npub fn run(&self) -> u8 {\n    self.count\n}"],
  ["TypeScript", "import x;\n\nfunction hours(entry) {\n  return entry.hours - 8;\n}"],
  ["SQL in one statement", "SELECT name\nFROM people\nWHERE age = 3;"],
])("%s is code", (_, text) => {
  expect(looksLikeCode(text)).toBe(true);
});

test.each([
  ["prose", "The board met in May.\nIt discussed the budget:\nnothing was decided."],
  [
    "a list of duties",
    "1. Be accountable for all the property that was received [§ 704(a)(2)];\n2. Ensure that the debtor shall perform the stated intention as specified. Then report on it;",
  ],
  ["a log", "2026-01-01 INFO start\n2026-01-02 WARN slow"],
  ["verse", "For all the saints\nWith none to mourn"],
])("%s is not", (_, text) => {
  expect(looksLikeCode(text)).toBe(false);
});
