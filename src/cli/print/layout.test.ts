import fc from "fast-check";
import { expect, it } from "vitest";
import { bytes, columns, count, duration, shortPath, truncate, widthOf, wrap } from "./layout.ts";

const text = fc
  .array(fc.constantFrom("a", "word", " ", "\n", "漢字", "ไทย", "é", "👩‍👩‍👧", "。"))
  .map((parts) => parts.join(""));

it("counts columns: wide characters two, marks none", () => {
  expect(widthOf("abc")).toBe(3);
  expect(widthOf("漢字かなカナ한글")).toBe(16);
  expect(widthOf("e\u0301")).toBe(1);
  expect(widthOf("👩‍👩‍👧")).toBe(2);
  expect(widthOf("（）")).toBe(4);
});

it("wraps any text without losing a character, in lines that fit", () => {
  fc.assert(
    fc.property(text, fc.integer({ min: 10, max: 30 }), (source, width) => {
      const lines = wrap(source, width);
      expect(lines.join("").replace(/\s/g, "")).toBe(source.replace(/\s/g, ""));
      for (const line of lines) expect(widthOf(line)).toBeLessThanOrEqual(width);
    }),
  );
});

it("truncates to the width, between characters a person sees", () => {
  expect(truncate("short", 10)).toBe("short");
  expect(truncate("漢字漢字", 5)).toBe("漢字…");
  fc.assert(
    fc.property(text, fc.integer({ min: 2, max: 20 }), (source, width) => {
      expect(widthOf(truncate(source, width))).toBeLessThanOrEqual(width);
    }),
  );
});

it("lines columns up by width, not by length", () => {
  expect(
    columns([
      ["漢字", "x"],
      ["abcde", "y"],
    ]),
  ).toEqual(["漢字   x", "abcde  y"]);
});

it("says amounts as people do", () => {
  expect([count(1, "chunk"), count(0, "chunk"), count(1234, "chunk")]).toEqual([
    "1 chunk",
    "0 chunks",
    "1,234 chunks",
  ]);
  expect([bytes(900), bytes(1500), bytes(5e6), bytes(1e9)]).toEqual([
    "900 bytes",
    "1.5 KB",
    "5.0 MB",
    "1.0 GB",
  ]);
  expect([duration(12.4), duration(1500), duration(61_000)]).toEqual(["12 ms", "1.5 s", "1 min 1 s"]);
  expect(shortPath("/a/b/c.md", { cwd: "/a" })).toBe("b/c.md");
  expect(shortPath("/x/c.md", { cwd: "/a" })).toBe("/x/c.md");
});
