import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { choice, type Parse, positiveNumber, wholeNumber, words, yesOrNo } from "../../../config/values.ts";
import type { SweepGrid } from "../../../eval/sweep/settings.ts";
import { resolveChunkOptions } from "../../../ingest/chunk/chunk.ts";
import { type Bm25Options, type ChunkOptions, KonteksError } from "../../../spec/index.ts";
import { didYouMean } from "../../../util/nearest.ts";
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
  fusion: choice(["scores", "rrf"]),
  "title-weight": positiveNumber,
  "context-weight": positiveNumber,
  "body-weight": positiveNumber,
  "document-weight": positiveNumber,
  rerank: words,
  "rerank-depth": wholeNumber(0),
  "must-match": choice(["none", "phrases", "identifiers"]),
  "per-document": wholeNumber(1),
  "within-documents": wholeNumber(1),
  "within-sections": wholeNumber(1),
  "neighbours-weight": positiveNumber,
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
  const found = {
    chunk: chunks,
    weights: combined(lists, {
      text: "text-weight",
      vector: "vector-weight",
      neighbours: "neighbours-weight",
    }),
    bm25: scorings(lists),
    rerank: rerankings(lists),
  };
  const grid: Record<string, readonly unknown[]> = {};
  for (const [name, values] of Object.entries(found)) if (values !== undefined) grid[name] = values;
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
  fusion: "fusion",
  "must-match": "mustMatch",
  "per-document": "perDocument",
  "within-documents": "withinDocuments",
  "within-sections": "withinSections",
};

function listOf(typed: string): [key: string, values: readonly unknown[]] {
  const [, key = typed, list = ""] = /^([^=]+)=(.*)$/s.exec(typed) ?? [];
  const parse = KEYS[key];
  if (key === "k")
    throw wrongFlag(
      "vary",
      "does not take k: recall only grows with it. The sweep itself says how many hits to read",
    );
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
  const varied = { unit: "chunk-unit", size: "chunk-size", overlap: "chunk-overlap", structure: "structure" };
  return combined(lists, varied)?.map((chosen) => chunkOf({ ...base, ...chosen }));
}

/** Every combination of the lists under these keys, by field; undefined when none of them is varied. */
function combined(
  lists: ReadonlyMap<string, readonly unknown[]>,
  keys: Readonly<Record<string, string>>,
): readonly Record<string, unknown>[] | undefined {
  const varied = Object.entries(keys).filter(([, key]) => lists.has(key));
  if (varied.length === 0) return undefined;
  return varied.reduce<readonly Record<string, unknown>[]>(
    (made, [field, key]) =>
      made.flatMap((one) => (lists.get(key) ?? []).map((value) => ({ ...one, [field]: value }))),
    [{}],
  );
}

/** Weights of the text list's fields, and of the whole document. */
function scorings(lists: ReadonlyMap<string, readonly unknown[]>): readonly Bm25Options[] | undefined {
  const fields = { title: "title-weight", context: "context-weight", body: "body-weight" };
  return combined(lists, { ...fields, document: "document-weight" })?.map(({ document, ...weights }) => ({
    ...(Object.keys(weights).length > 0 && {
      fields: Object.fromEntries(
        Object.entries(weights).map(([field, weight]) => [field, { weight: weight as number }]),
      ),
    }),
    ...(document !== undefined && { documentWeight: document as number }),
  }));
}

/** Rerankers and depths; depth 0 and "false" rerank nothing, "true" is the built-in one. */
function rerankings(lists: ReadonlyMap<string, readonly unknown[]>): readonly unknown[] | undefined {
  const all = combined(lists, { model: "rerank", depth: "rerank-depth" })?.map(
    ({ model = "true", depth }) => {
      if (model === "false" || depth === 0) return false;
      const named = model === "true" ? {} : { model };
      return { ...named, ...(depth !== undefined && { depth }) };
    },
  );
  // Depth 0 of every model is the same search.
  return all?.filter((one, index) => one !== false || all.indexOf(false) === index);
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
