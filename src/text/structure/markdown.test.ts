import fc from "fast-check";
import { expect, test } from "vitest";
import { readMarkdown } from "./markdown.ts";

const slices = (text: string): string[] =>
  readMarkdown(text).blocks.map(
    ({ kind, level, start, end }) => `${kind}${level ?? ""}:${text.slice(start, end)}`,
  );

/** Blocks as they are written, with what is to be read out of them. */
const BLOCKS: readonly (readonly [written: string, ...read: string[]])[] = [
  ["Some *words*,\nover two lines.", "paragraph:Some *words*,\nover two lines."],
  ["### A `name`", "heading3:### A `name`"],
  ["Title\n=====", "heading1:Title\n====="],
  ["```js\n# no\n\n- no\n```", "code:```js\n# no\n\n- no\n```"],
  ["<div>\n# no\n</div>", "html:<div>\n# no\n</div>"],
  ["> - quoted\nlazy", "quote:> - quoted\nlazy"],
  ["| a | b |\n| - | - |\n| 1 | 2 |", "table:| a | b |\n| - | - |\n| 1 | 2 |"],
  ["* one\n\n  more\n* two", "list-item1:* one\n\n  more", "list-item1:* two"],
  [
    "1) one\n   - in\n     - deep\n   back",
    "list-item1:1) one",
    "list-item2:- in",
    "list-item3:- deep\n   back",
  ],
  ["- 2. + x", "list-item1:-", "list-item2:2.", "list-item3:+ x"],
  ["***", "paragraph:***"],
  ["[^1]: A note,\ngoing on.\n\n    And on.", "paragraph:[^1]: A note,\ngoing on.\n\n    And on."],
  ["[a]: https://a.example 'A'", "paragraph:[a]: https://a.example 'A'"],
  ["import {A} from './a.js';", "paragraph:import {A} from './a.js';"],
];

test("blocks one after another are read as each by itself, whatever ends the lines", () => {
  const some = fc.array(fc.constantFrom(...BLOCKS), { minLength: 1, maxLength: 12 });
  const lineEnd = fc.constantFrom("\n", "\r\n", "\r");
  fc.assert(
    fc.property(some, lineEnd, (blocks, end) => {
      // A heading between them, since two lists in a row are one.
      const text = blocks.map(([written]) => written).join("\n\n# next\n\n");
      const read = blocks.map(([, ...own]) => own);
      const expected = read.flatMap((own, i) => (i === 0 ? own : ["heading1:# next", ...own]));
      const ended = (lines: string) => lines.replaceAll("\n", end);
      expect(slices(ended(text))).toEqual(expected.map(ended));
    }),
  );
});

test("a footnote ends where the next one or a text that is not indented begins", () => {
  expect(slices("Text[^a]\n[^a]: One\n[^b]: Two\n\n    more\n\nText\n\n- [^c]: Three\n- x")).toEqual([
    "paragraph:Text[^a]",
    "paragraph:[^a]: One",
    "paragraph:[^b]: Two\n\n    more",
    "paragraph:Text",
    "list-item1:- [^c]: Three",
    "list-item1:- x",
  ]);
});

test("the paragraphs of an item are its parts, and a nested list parts it", () => {
  const text = "- a\n\n  b\n\n  - c\n\n  d\n";
  const parts = readMarkdown(text).blocks.map((block) =>
    block.parts?.map(({ start, end }) => text.slice(start, end)),
  );
  expect(parts).toEqual([["- a", "b"], undefined, undefined]);
});

test("front matter needs both fences, and is at the very beginning", () => {
  expect(readMarkdown("---\na: 1\n--- \n# H").metadata).toEqual({ a: 1 });
  expect(readMarkdown("\ufeff---\r\na: 1\r\nb: 2\r\n---\r\n# H").metadata).toEqual({ a: 1, b: 2 });
  for (const text of ["\n---\na: 1\n---\n", "---\na: 1\n", "--- x\na: 1\n---\n", "----\na: 1\n----\n"])
    expect(readMarkdown(text).metadata).toEqual({});
});

test("words of a heading: entities, escapes, pictures and tags", () => {
  const text = "# A &amp; B \\* ![pic *x*](a.png) <b>bold</b> **C** [D][d]\n\n# *1*. `<Start>`";
  expect(readMarkdown(text).outline.map((heading) => heading.text)).toEqual([
    "A & B * pic x bold C D",
    "1. <Start>",
  ]);
});

test("a paragraph, a list or a quote without end is read in no time", () => {
  for (const line of [
    "words without end\n",
    "- item\n",
    "> quote\n",
    "[x\n",
    "| a | b\n",
    "a|b\n-|-\n",
    "    - x\n",
    "* * *a\n",
  ]) {
    const text = line.repeat(300_000 / line.length);
    const start = performance.now();
    expect(readMarkdown(text).blocks.length).toBeGreaterThan(0);
    expect(performance.now() - start).toBeLessThan(3000);
  }
});
