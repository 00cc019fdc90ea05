import fc from "fast-check";
import { expect, test } from "vitest";
import { byteReader, byteWriter, readVarint, writeBytes, writeVarint, written } from "./bytes.ts";
import { DamagedPart } from "./damaged-part.ts";
import { copyPosting, readPostings, skipPostings, writePosting } from "./postings.ts";
import { blockWriter, findInBlock, readBlock } from "./term-blocks.ts";
import { bytesToText, shortBytesToText, textToBytes, textToShortBytes } from "./text-bytes.ts";

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

test("the first field alone takes no byte beside its chunk for once, and one for more", () => {
  const writer = byteWriter();
  writePosting(writer, 5, [1]);
  expect(writer.length).toBe(1);
  writePosting(writer, 5, [9]);
  expect(writer.length).toBe(3);
});

test("any string comes back from its bytes", () => {
  const unit = fc.integer({ min: 0, max: 0xffff }).map((code) => String.fromCharCode(code));
  fc.assert(
    fc.property(fc.string({ unit }), (text) => {
      expect(bytesToText(textToBytes(text))).toBe(text);
    }),
  );
});

const terms = fc
  .uniqueArray(
    fc.string({ unit: fc.constantFrom("a", "b", "é", "字", "\ud800"), minLength: 1, maxLength: 6 }),
    {
      minLength: 1,
      maxLength: 60,
    },
  )
  .map((list) => list.sort());

test("every term of a block is found again, and no other", () => {
  fc.assert(
    fc.property(terms, fc.nat(2_000), (list, size) => {
      const blocks: { first: string; data: Uint8Array }[] = [];
      const writer = blockWriter((first, data) => blocks.push({ first, data }));
      const listOf = (i: number) => new Uint8Array(i % 7 === 0 ? size : 2).fill(i);
      for (const [i, term] of list.entries()) writer.add({ term, count: i, list: listOf(i) });
      writer.end();
      const entries = blocks.flatMap(({ data }) =>
        [...readBlock(data)].map((entry) => ({ ...entry, list: entry.list.slice() })),
      );
      expect(entries).toEqual(list.map((term, count) => ({ term, count, list: listOf(count) })));
      for (const { first, data } of blocks) {
        const own = new Map([...readBlock(data)].map(({ term, count }) => [term, count]));
        expect(own.keys().next().value).toBe(first);
        for (const term of [...list, ...list.map((other) => `${other}a`), "\ud800\ud800"]) {
          expect(findInBlock(data, term)?.count).toBe(own.get(term));
        }
      }
    }),
  );
});

test("a block of format 1 gives the same lists in the present form", () => {
  const entries = fc.array(fc.record({ gap: fc.integer({ min: 1, max: 300 }), frequencies }), {
    minLength: 1,
  });
  fc.assert(
    fc.property(terms, entries, (list, postings) => {
      const old = byteWriter();
      const present = byteWriter();
      for (const { gap, frequencies: each } of postings) {
        writePosting(present, gap, each);
        const simple = each[0] === 1 && each.slice(1).every((value) => value === 0);
        writeVarint(old, gap * 2 + (simple ? 1 : 0));
        if (simple) continue;
        writeVarint(
          old,
          each.reduce((bits, value, field) => bits | (value > 0 ? 1 << field : 0), 0),
        );
        for (const value of each) if (value > 0) writeVarint(old, value);
      }
      const block = byteWriter();
      for (const term of list) {
        const name = textToBytes(term);
        writeVarint(block, name.length);
        writeBytes(block, name);
        writeVarint(block, postings.length);
        writeVarint(block, old.length);
        writeBytes(block, written(old));
      }
      const wanted = { count: postings.length, list: written(present).slice() };
      expect([...readBlock(written(block))]).toEqual(list.map((term) => ({ term, ...wanted })));
      expect(findInBlock(written(block), list[0] ?? "")).toMatchObject(wanted);
    }),
  );
});

test("text comes back from its short bytes, which are no longer than its bytes", () => {
  const long = fc.string({ unit: "grapheme", minLength: 300, maxLength: 2_000 });
  fc.assert(
    fc.property(fc.oneof(fc.string({ unit: "binary" }), long), (text) => {
      const bytes = textToShortBytes(text);
      expect(shortBytesToText(bytes)).toBe(text);
      expect(bytes.length).toBeLessThanOrEqual(textToBytes(text).length);
    }),
  );
  expect(textToShortBytes("the same words again. ".repeat(100)).length).toBeLessThan(200);
  expect(() => shortBytesToText(Uint8Array.of(0xfe, 9, 9, 9))).toThrow(DamagedPart);
});
