import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { didYouMean } from "../../../config/nearest.ts";
import { choice, type Parse, positiveNumber, wholeNumber, words, yesOrNo } from "../../../config/values.ts";
import type { SweepGrid } from "../../../eval/sweep/settings.ts";
import { resolveChunkOptions } from "../../../ingest/chunk/chunk.ts";
import { type ChunkOptions, KonteksError } from "../../../spec/index.ts";
import { wrongFlag } from "./flags.ts";

const UNITS = ["characters", "words", "tokens", "sentences", "paragraphs", "sections"];

/** What `--vary` can be followed by, and how its values are read. */
const KEYS: Readonly<Record<string, Parse>> = {
  "chunk-size": wholeNumber(1),
  "chunk-overlap": overlap,
  "chunk-unit": choice(UNITS),
  structure: yesOrNo,
  context: choice(["structural", "none", "llm"]),
  "context-model": words,
  "context-prompt": words,
  glossary: words,
  "embedding-model": words,
  mode: choice(["text", "vector", "hybrid"]),
  candidates: wholeNumber(1),
  "text-weight": positiveNumber,
  "vector-weight": positiveNumber,
  "rrf-k": wholeNumber(0),
};

/** A number of units, or a share of the size: "20%". */
function overlap(text: string, name: string): unknown {
  return /^\d+%$/.test(text.trim()) ? text.trim() : wholeNumber(0)(text, name);
}

/** Three sizes, with and without overlap and context, text and hybrid search: 24 settings. */
const usual: readonly string[] = [
  "chunk-size=200,400,800",
  "chunk-overlap=0,20%",
  "context=none,structural",
  "mode=text,hybrid",
];

/** The lists of `--vary` as a grid; `chunk` is what stays of the chunking where it is not varied. */
export function gridOf(typed: readonly string[], chunk: ChunkOptions | undefined, cwd: string): SweepGrid {
  const lists = new Map((typed.length > 0 ? typed : usual).map(listOf));
  const chunks = chunksOf(lists, chunk);
  const weights = weightsOf(lists);
  const grid: Record<string, readonly unknown[]> = {
    ...(chunks !== undefined && { chunk: chunks }),
    ...(weights !== undefined && { weights }),
  };
  for (const [key, name] of Object.entries(plainKeys)) {
    const values = lists.get(key);
    if (values !== undefined) grid[name] = values;
  }
  const glossaries = lists.get("glossary");
  if (glossaries !== undefined) grid.contextGlossary = glossaries.map((file) => glossary(String(file), cwd));
  // Every list was read by the parser of its key.
  return grid as SweepGrid;
}

const plainKeys: Readonly<Record<string, string>> = {
  context: "context",
  "context-model": "contextModel",
  "context-prompt": "contextPrompt",
  "embedding-model": "embedding",
  mode: "mode",
  candidates: "candidates",
  "rrf-k": "rrfK",
};

function listOf(typed: string): [key: string, values: readonly unknown[]] {
  const [, key = typed, list = ""] = /^([^=]+)=(.*)$/s.exec(typed) ?? [];
  const parse = KEYS[key];
  if (parse === undefined) {
    const names = Object.keys(KEYS);
    const hint = didYouMean(key, names);
    throw wrongFlag("vary", `has no setting '${key}'; it has ${names.join(", ")}`, hint);
  }
  return [key, list.split(",").map((value) => parse(value.trim(), `--vary ${key}`))];
}

function chunksOf(
  lists: ReadonlyMap<string, readonly unknown[]>,
  base: ChunkOptions = {},
): readonly ChunkOptions[] | undefined {
  const names = { unit: "chunk-unit", size: "chunk-size", overlap: "chunk-overlap", structure: "structure" };
  const varied = Object.entries(names).flatMap(([field, key]) => {
    const values = lists.get(key);
    return values === undefined ? [] : [[field, values] as const];
  });
  if (varied.length === 0) return undefined;
  const combined = varied.reduce<readonly Record<string, unknown>[]>(
    (made, [field, values]) => made.flatMap((one) => values.map((value) => ({ ...one, [field]: value }))),
    [{ ...base }],
  );
  return combined.map(chunkOf);
}

/** Defaults are filled in here, so that "20%" has a size to be a share of. */
function chunkOf({ overlap, ...rest }: Record<string, unknown>): ChunkOptions {
  const { unit, size, structure } = resolveChunkOptions(rest as ChunkOptions);
  const share =
    typeof overlap === "string" ? Math.round((size * Number.parseInt(overlap, 10)) / 100) : overlap;
  return resolveChunkOptions({
    unit,
    size,
    structure,
    ...(share !== undefined && { overlap: share as number }),
  });
}

function weightsOf(lists: ReadonlyMap<string, readonly unknown[]>) {
  const [text, vector] = [lists.get("text-weight"), lists.get("vector-weight")];
  if (text === undefined && vector === undefined) return undefined;
  return (text ?? [undefined]).flatMap((one) =>
    (vector ?? [undefined]).map((other) => ({
      ...(one !== undefined && { text: one }),
      ...(other !== undefined && { vector: other }),
    })),
  );
}

function glossary(file: string, cwd: string): Readonly<Record<string, string>> {
  if (file === "none") return {};
  try {
    return JSON.parse(readFileSync(resolve(cwd, file), "utf8")) as Record<string, string>;
  } catch (cause) {
    throw new KonteksError(
      "wrong-option",
      `The glossary ${file} cannot be read as JSON. Give a file with an object of terms and their meanings, or none.`,
      { facts: { file }, cause },
    );
  }
}
