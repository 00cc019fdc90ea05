import fc from "fast-check";
import { expect, test } from "vitest";
import type { ChunkUnit } from "../../spec/index.ts";
import { chunk } from "./chunk.ts";

/** Words and sentences that look like text and differ everywhere, from a seed. */
function words(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
}

function prose(sentences: number, seed: number): string {
  const random = words(seed);
  const word = (): string =>
    `${"bcdfglmnprst"[Math.floor(random() * 12)]}${Math.floor(random() * 46656).toString(36)}`;
  const sentence = (): string =>
    `The ${Array.from({ length: 6 + Math.floor(random() * 16) }, word).join(" ")}.`;
  return Array.from({ length: sentences }, () => sentence() + (random() < 0.2 ? "\n\n" : " ")).join("");
}

function code(functions: number, seed: number): string {
  const random = words(seed);
  const line = (): string => `  const v${Math.floor(random() * 1e6)} = call(${Math.floor(random() * 1e6)});`;
  const one = (): string => {
    const body = Array.from({ length: 2 + Math.floor(random() * 20) }, line).join("\n");
    return `function f${Math.floor(random() * 1e6)}() {\n${body}\n}`;
  };
  return Array.from({ length: functions }, one).join("\n\n");
}

const TEXTS = { text: prose(500, 7), code: code(120, 11) } as const;
const SETTINGS: readonly (readonly [unit: ChunkUnit, size: number])[] = [
  ["tokens", 300],
  ["characters", 1000],
  ["words", 120],
  ["sentences", 8],
  ["paragraphs", 5],
];

test.each(
  SETTINGS.flatMap(([unit, size]) =>
    (["text", "code"] as const).map((format) => [unit, size, format] as const),
  ),
)(
  "%s/%i, %s: after an edit the borders agree again within five chunks, on both sides",
  (unit, size, format) => {
    const text = TEXTS[format];
    const before = chunk(text, { unit, size, format });
    expect(before.length).toBeGreaterThan(12);
    const edit = fc.record({
      at: fc.nat(text.length),
      removed: fc.oneof(fc.constant(0), fc.nat(400)),
      added: fc.oneof(
        fc.constantFrom("", "x", "A new sentence. ", "\n\nA new paragraph.\n\n"),
        fc.nat(30).map((n) => prose(n, n + 1)),
      ),
    });
    fc.assert(
      fc.property(edit, ({ at, removed, added }) => {
        const end = Math.min(text.length, at + removed);
        const after = chunk(text.slice(0, at) + added + text.slice(end), { unit, size, format });
        const shift = added.length - (end - at);
        const ends = new Set(after.map((each) => each.end));
        const behind = before.filter((each) => each.start >= end).slice(5);
        const ahead = before.filter((each) => each.end <= at).slice(0, -5);
        expect(behind.filter((each) => !ends.has(each.end + shift))).toEqual([]);
        expect(ahead.filter((each) => !ends.has(each.end))).toEqual([]);
      }),
      { numRuns: 40, seed: 42 },
    );
  },
);

test("chunks are well filled, also without headings", () => {
  for (const [unit, size] of SETTINGS.slice(0, 3)) {
    const chunks = chunk(TEXTS.text, { unit, size });
    const all = chunks.reduce(
      (sum, each) =>
        sum +
        (unit === "tokens"
          ? each.tokens
          : unit === "words"
            ? each.text.split(/\s+/).length
            : each.text.length),
      0,
    );
    expect(all / chunks.length / size).toBeGreaterThan(0.65);
  }
});
