import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import type { ChunkUnit, DocumentFormat } from "../../spec/index.ts";
import { countTokens } from "../../text/count-tokens.ts";
import { type ChunkTextOptions, chunk } from "./chunk.ts";

const DATA = process.env.KONTEKS_DATA ?? "../shared/datasets";
const FORMATS: Readonly<Record<string, DocumentFormat>> = { codebases: "code", "react-docs-id": "markdown" };
const UNITS: readonly ChunkUnit[] = ["tokens", "characters", "words", "sentences", "paragraphs", "sections"];

const SETS = readdirSync(DATA, { withFileTypes: true })
  .filter((entry) => entry.isDirectory() && entry.name !== "files")
  .map((entry) => entry.name);

function textsOf(set: string): string[] {
  const lines = readFileSync(join(DATA, set, "corpus.jsonl"), "utf8")
    .trim()
    .split("\n");
  const texts = lines
    .map((line): unknown => JSON.parse(line).text)
    .filter((text) => typeof text === "string");
  return texts.filter((_, index) => index % Math.ceil(texts.length / 400) === 0);
}

/** What of a text is in no chunk, blanks left out. */
function missing(text: string, options: ChunkTextOptions): string {
  let at = 0;
  let left = "";
  for (const each of chunk(text, options)) {
    if (text.slice(each.start, each.end) !== each.text) return `chunk ${each.ordinal} is no slice`;
    left += text.slice(at, Math.max(at, each.start)).trim();
    at = each.end;
  }
  return left + text.slice(at).trim();
}

describe.each(SETS)("%s", (set) => {
  const texts = textsOf(set);
  const format = FORMATS[set] ?? "text";

  test.each(UNITS)("%s: every character that is not blank is in a chunk", (unit) => {
    for (const text of texts) {
      const left = missing(text, { unit, format });
      // Front matter is metadata and in no chunk.
      expect(format === "markdown" ? left.replace(/^---[\s\S]*---$/, "") : left).toBe("");
    }
  });

  test("no chunk is beyond the limit, and chunks of long texts are well filled", () => {
    const chunks = texts
      .map((text) => chunk(text, { size: 400, overlap: 50, format }))
      .filter((each) => each.length > 2);
    const tokens = chunks.flat().map((each) => countTokens(each.text));
    expect(Math.max(0, ...tokens)).toBeLessThanOrEqual(400);
    const mean = tokens.reduce((sum, each) => sum + each, 0) / Math.max(1, tokens.length);
    if (tokens.length > 20) expect(mean / 400).toBeGreaterThan(0.6);
  });
});
