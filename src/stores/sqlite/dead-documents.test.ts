import fc from "fast-check";
import { expect, test } from "vitest";
import { liveAmong, liveChunks } from "./dead-documents.ts";
import type { Segment } from "./segment.ts";

/** A segment by its documents' numbers of chunks, and which of them are dead. */
function segmentOf(sizes: readonly number[], isDead: (document: number) => boolean): Segment {
  const starts = new Uint32Array(sizes.length + 1);
  for (const [i, size] of sizes.entries()) starts[i + 1] = (starts[i] as number) + size;
  const size = starts[sizes.length] as number;
  const dead = new Uint8Array(size);
  for (let i = 0; i < sizes.length; i++) if (isDead(i)) dead.fill(1, starts[i], starts[i + 1]);
  const live = dead.filter((one) => one === 0).length;
  return { key: 1, size, documents: sizes.map((_, i) => i), starts, lengths: [], directory: [], dead, live };
}

test("counts the living, whether few documents are dead or many", () => {
  const segments = fc
    .record({
      sizes: fc.array(fc.nat(9), { minLength: 1, maxLength: 80, size: "max" }),
      every: fc.constantFrom(1, 2, 7, 40, 1_000),
      first: fc.nat(40),
    })
    .map(({ sizes, every, first }) => segmentOf(sizes, (document) => document % every === first % every));
  fc.assert(
    fc.property(segments, fc.constantFrom(1, 2, 5), (segment, step) => {
      const { dead, documents, size, starts } = segment;
      const chunks = Uint32Array.from({ length: Math.ceil(size / step) }, (_, i) => i * step);
      expect(liveChunks(segment, chunks)).toBe(chunks.filter((chunk) => dead[chunk] === 0).length);
      const filled = documents.filter((i) => (starts[i] as number) < (starts[i + 1] as number));
      const asked = Uint32Array.from(filled.filter((i) => i % step === 0));
      expect(liveAmong(segment, asked)).toBe(asked.filter((i) => dead[starts[i] as number] === 0).length);
    }),
  );
});

test("follows documents that die later", () => {
  const segment = segmentOf(Array<number>(50).fill(2), () => false);
  const all = Uint32Array.from({ length: 100 }, (_, i) => i);
  expect(liveChunks(segment, all)).toBe(100);
  segment.dead.fill(1, 20, 22);
  segment.live -= 2;
  expect(liveChunks(segment, all)).toBe(98);
  expect(liveAmong(segment, Uint32Array.of(9, 10, 11))).toBe(2);
});
