import fc from "fast-check";
import { expect, it } from "vitest";
import type { BlockKind } from "../../spec/index.ts";
import { createTextBuilder, type NewBlock } from "./text-builder.ts";

const block: fc.Arbitrary<NewBlock> = fc.record({
  kind: fc.constantFrom<BlockKind>("heading", "paragraph", "list-item", "table", "code", "quote"),
  text: fc.oneof(
    fc.string(),
    fc.array(
      fc.string().map((line) => line.replaceAll("\n", " ")),
      { maxLength: 4 },
    ),
  ),
  level: fc.integer({ min: 1, max: 20 }),
  headerRows: fc.nat(2),
});

it("keeps every block whole, in order, with nothing but blanks between", () => {
  fc.assert(
    fc.property(fc.array(block), (input) => {
      const builder = createTextBuilder();
      input.forEach((each, index) => {
        builder.page(index + 1);
        builder.add(each);
      });
      const { text, blocks, outline, pages } = builder.finish();
      let at = 0;
      for (const { start, end, header, parts } of blocks) {
        expect(text.slice(at, start).trim()).toBe("");
        expect(end).toBeGreaterThan(start);
        for (const part of parts ?? [])
          expect(part.start >= (header?.end ?? start) && part.end <= end).toBe(true);
        at = end;
      }
      expect(at).toBe(text.length);
      const written = input.flatMap(({ text }) => text).filter((line) => line.trim() !== "");
      expect(text.replace(/\s/g, "")).toBe(written.join("").replace(/\s/g, ""));
      expect(outline.map(({ start }) => start)).toEqual(
        blocks.filter(({ kind }) => kind === "heading").map(({ start }) => start),
      );
      expect(pages.map(({ number }) => number)).toEqual(input.map((_, index) => index + 1));
      expect(
        pages.every(({ start }, index) => start >= (pages[index - 1]?.start ?? 0) && start <= text.length),
      ).toBe(true);
    }),
  );
});

it("describes a table by its header and rows", () => {
  const builder = createTextBuilder();
  builder.add({ kind: "paragraph", text: "Intro" });
  builder.add({ kind: "table", text: ["a | b", "1 | 2", "3 | 4"], headerRows: 1 });
  const { text, blocks } = builder.finish();
  const table = blocks[1];
  expect(text.slice(table?.header?.start, table?.header?.end)).toBe("a | b");
  expect(table?.parts?.map(({ start, end }) => text.slice(start, end))).toEqual(["1 | 2", "3 | 4"]);
});

it("gives empty pages the start of the next text, so that numbers never shift", () => {
  const builder = createTextBuilder();
  builder.page(1);
  builder.add({ kind: "paragraph", text: "one" });
  builder.page(2);
  builder.page(3);
  builder.add({ kind: "paragraph", text: "three" });
  builder.page(4);
  const { text, pages } = builder.finish();
  expect(text).toBe("one\n\nthree");
  expect(pages).toEqual([
    { number: 1, start: 0 },
    { number: 2, start: 5 },
    { number: 3, start: 5 },
    { number: 4, start: 10 },
  ]);
});
