import fc from "fast-check";
import { expect, test } from "vitest";
import { lineAt, lineStarts } from "./lines.ts";

test("CRLF, a lone CR and LF each end one line", () => {
  expect([...lineStarts("a\r\nb\rc\nd")]).toEqual([0, 3, 5, 7]);
  expect([...lineStarts("")]).toEqual([0]);
  expect([...lineStarts("a\n")]).toEqual([0, 2]);
});

test("line numbers agree with splitting the text in front of the offset", () => {
  const ugly = fc.array(fc.constantFrom("a", "\n", "\r", "\r\n", "é", "😀"), { maxLength: 80 });
  fc.assert(
    fc.property(ugly, fc.nat(100), (parts, at) => {
      const text = parts.join("");
      const offset = Math.min(at, text.length);
      // An offset between CR and LF still belongs to the line that the pair ends.
      const before = text.slice(0, offset) + (text[offset] === "\n" && text[offset - 1] === "\r" ? "\n" : "");
      const naive = before.split(/\r\n|\r|\n/).length - (before.length > offset ? 1 : 0);
      expect(lineAt(lineStarts(text), offset)).toBe(naive);
    }),
  );
});
