import fc from "fast-check";
import { expect, test } from "vitest";
import { byteReader, byteWriter, readVarint, writeVarint, written } from "./bytes.ts";
import { DamagedPart } from "./damaged-part.ts";
import { copyPosting, readPostings, skipPostings, writePosting } from "./postings.ts";
import { blockWriter, findInBlock, readBlock } from "./term-blocks.ts";
import { bytesToText, textToBytes } from "./text-bytes.ts";

test("varints of any size come back, and a cut one is noticed", () => {
  fc.assert(
    fc.property(fc.array(fc.maxSafeNat(), { minLength: 1 }), (values) => {
      const writer = byteWriter(1);
      for (const value of values) writeVarint(writer, value);
      const reader = byteReader(written(writer));
      expect(values.map(() => readVarint(reader))).toEqual(values);
      expect(() => readVarint(reader)).toThrow(DamagedPart);
    }),
  );
});

const frequencies = fc
  .array(fc.nat(400), { minLength: 1, maxLength: 30 })
  .map((list) => [...list.slice(0, -1), (list.at(-1) ?? 0) + 1]);

test("posting lists come back, and copies of them, moved or passed over", () => {
  fc.assert(
    fc.property(
      fc.array(fc.record({ gap: fc.integer({ min: 1, max: 2 ** 30 }), frequencies })),
      (entries) => {
        const writer = byteWriter();
        for (const entry of entries) writePosting(writer, entry.gap, entry.frequencies);
        const copy = byteWriter();
        const source = byteReader(written(writer));
        let last = 0;
        for (const { gap } of entries) {
          const before = last;
          last = copyPosting(source, copy, last, (chunk) => chunk - before);
          expect(last).toBe(before + gap);
        }
        expect(written(copy)).toEqual(written(writer));
        expect(skipPostings(byteReader(written(writer)), entries.length, 3)).toBe(last + 3);
        const decoded = readPostings(byteReader(written(writer)), entries.length);
        for (const [i, expected] of entries.entries()) {
          const row = expected.frequencies.map((_, field) => decoded.frequencies[field]?.[i] ?? 0);
          expect(row).toEqual(expected.frequencies);
        }
      },
    ),
  );
});

test("once in the first field is one byte beside its chunk", () => {
  const writer = byteWriter();
  writePosting(writer, 5, [1]);
  expect(writer.length).toBe(1);
});

test("any string comes back from its bytes", () => {
  const unit = fc.integer({ min: 0, max: 0xffff }).map((code) => String.fromCharCode(code));
  fc.assert(
    fc.property(fc.string({ unit }), (text) => {
      expect(bytesToText(textToBytes(text))).toBe(text);
    }),
  );
});

test("every term of a block is found again, and no other", () => {
  const blocks: Uint8Array[] = [];
  const writer = blockWriter((_, data) => blocks.push(data));
  const terms = Array.from({ length: 3_000 }, (_, i) => `term${String(i).padStart(5, "0")}`);
  for (const [i, term] of terms.entries()) writer.add({ term, count: i, list: Uint8Array.of(i % 256, 7) });
  writer.end();
  expect(blocks.length).toBeGreaterThan(2);
  expect(blocks.flatMap((block) => [...readBlock(block)]).map(({ term }) => term)).toEqual(terms);
  const first = blocks[0] ?? new Uint8Array();
  expect(findInBlock(first, "term00017")).toEqual({ count: 17, list: Uint8Array.of(17, 7) });
  expect(findInBlock(first, "term0001")).toBeUndefined();
});
