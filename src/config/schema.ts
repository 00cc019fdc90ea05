import { z } from "zod";
import { KonteksError } from "../spec/index.ts";
import { didYouMean } from "../util/nearest.ts";
import type { KonteksConfig } from "./define.ts";

const MODEL = 'text like "provider:model" or an AI SDK model object';

const count = (from: number) =>
  z.int({ error: "expected a whole number" }).min(from, { error: `expected a whole number from ${from}` });
const model = z.custom<string>((value) => isText(value) || isModel(value), { error: `expected ${MODEL}` });
const metadataValue = z.union(
  [z.string(), z.number(), z.boolean(), z.null(), z.array(z.string()), z.array(z.number())],
  { error: "expected text, a number, true, false, null, or a list of texts or numbers" },
);

const prompt = z.custom<string>(
  (value) =>
    isText(value) || (typeof property(value, "front") === "function" && isText(property(value, "id"))),
  {
    error:
      "expected claude, message, indonesian, a template with {{document}} and {{chunk}}, or functions with an id",
  },
);
const price = z.number().min(0);
const prices = z.strictObject({
  input: price,
  output: price,
  cacheRead: price.optional(),
  cacheWrite: price.optional(),
  cacheWriteLong: price.optional(),
});

const chunk = z.strictObject({
  unit: z.enum(["characters", "words", "tokens", "sentences", "paragraphs", "sections"]).optional(),
  size: count(1).optional(),
  overlap: count(0).optional(),
  structure: z.boolean().optional(),
});

const share = z.number().min(0).max(1, { error: "expected a number from 0 to 1" });
const weight = z.number().min(0).optional();
const weights = z.strictObject({ text: weight, vector: weight, neighbours: weight });
const threshold = z.number().optional();
const thresholds = z.strictObject({ bm25: threshold, cosine: threshold, rerank: threshold });
const reranker = z.custom<string>(
  (value) => typeof value === "boolean" || isText(value) || typeof property(value, "rerank") === "function",
  { error: 'expected true, false, the name of a reranker ("cohere:rerank-v3.5"), or a reranker' },
);

const search = z.strictObject({
  k: count(1).optional(),
  mode: z.enum(["text", "vector", "hybrid"]).optional(),
  candidates: count(1).optional(),
  weights: weights.optional(),
  rrfK: count(0).optional(),
  fusion: z.enum(["scores", "rrf"]).optional(),
  mustMatch: z.enum(["phrases", "identifiers", "none"]).optional(),
  withinDocuments: count(1).optional(),
  withinSections: count(1).optional(),
  rerank: reranker.optional(),
  rerankPreset: z.enum(["20-3", "20-5", "150-20"]).optional(),
  rerankDepth: count(1).optional(),
  rerankTimeoutMs: z.number().min(0).optional(),
  min: thresholds.optional(),
  perDocument: count(1).optional(),
  fold: share.optional(),
  mmr: share.optional(),
  expand: z
    .union([count(0), z.enum(["section", "document"])], {
      error: "expected a number of chunks, section or document",
    })
    .optional(),
  expandTokens: count(1).optional(),
  timeoutMs: z.number().min(0).optional(),
});

const records = z.strictObject({
  text: z.union([z.string(), z.array(z.string())]),
  id: z.string().optional(),
  title: z.string().optional(),
  uri: z.string().optional(),
  metadata: z.array(z.string()).optional(),
});

const schema = z.strictObject({
  $schema: z.string().optional(),
  index: z.string().min(1).optional(),
  chunk: chunk.optional(),
  context: z.enum(["structural", "none", "llm"]).optional(),
  contextModel: model.optional(),
  contextConcurrency: count(1).optional(),
  contextPlan: z.enum(["auto", "single", "grouped"]).optional(),
  contextGroupSize: count(1).optional(),
  contextWindow: count(1_000).optional(),
  contextPrompt: prompt.optional(),
  contextDomain: z.string().optional(),
  contextGlossary: z.record(z.string(), z.string()).optional(),
  contextPrices: z.record(z.string(), prices).optional(),
  localThreads: count(1).optional(),
  localMemory: count(1).optional(),
  localCache: count(0).optional(),
  embedding: model.optional(),
  model: model.optional(),
  queryLog: z.union([z.boolean(), z.string().min(1)], { error: "expected true, false or a file" }).optional(),
  search: search.optional(),
  ingest: z
    .strictObject({
      gitignore: z.boolean().optional(),
      html: z.enum(["main", "all"]).optional(),
      password: z.union([z.string(), z.record(z.string(), z.string())]).optional(),
      maxFileBytes: count(1).optional(),
      records: records.optional(),
      metadata: z.record(z.string(), metadataValue).optional(),
    })
    .optional(),
  baseUrls: z.record(z.string(), z.url()).optional(),
});

/** Checks what a configuration file holds; the error names the file, the place and what was expected there. */
export function checkConfig(value: unknown, file: string): KonteksConfig {
  const result = schema.safeParse(value);
  if (result.success) return value as KonteksConfig; // the very object, so that model objects keep their methods
  const [first, ...others] = result.error.issues;
  const more = others.length === 0 ? "" : ` (and ${others.length} more)`;
  const what = first === undefined ? "it does not fit" : describe(first, value);
  throw new KonteksError("wrong-option", `${file}: ${what}${more}`, {
    facts: { file, problems: result.error.issues.map((issue) => describe(issue, value)) },
  });
}

type Issue = z.core.$ZodIssue;

function describe(issue: Issue, value: unknown): string {
  const place = issue.path.map(String).join(".");
  if (issue.code === "unrecognized_keys") return unknownKey(issue.keys[0] ?? "", issue.path.map(String));
  const found = issue.path.reduce<unknown>((inner, key) => property(inner, String(key)), value);
  const where = place === "" ? "the configuration" : `"${place}"`;
  return `${where} is ${show(found)}, ${expected(issue)}.`;
}

function expected(issue: Issue): string {
  if (issue.message.startsWith("expected ")) return issue.message;
  if (issue.code === "invalid_type") return `expected ${TYPES[issue.expected] ?? issue.expected}`;
  if (issue.code === "invalid_value") return `expected one of ${issue.values.join(", ")}`;
  if (issue.code === "too_small") return `expected at least ${issue.minimum}`;
  if (issue.code === "invalid_format") return `expected ${issue.format === "url" ? "a URL" : issue.format}`;
  return issue.message;
}

const TYPES: Readonly<Record<string, string>> = {
  string: "text",
  number: "a number",
  int: "a whole number",
  boolean: "true or false",
  object: "an object",
  record: "an object",
};

function unknownKey(key: string, path: readonly string[]): string {
  const place = [...path, key].join(".");
  return `there is no setting "${place}".${didYouMean(key, knownKeys(path))}`;
}

const SHAPES: Readonly<Record<string, readonly string[]>> = {
  "": Object.keys(schema.shape).filter((key) => key !== "$schema"),
  chunk: Object.keys(chunk.shape),
  search: Object.keys(search.shape),
  "search.weights": Object.keys(weights.shape),
  "search.min": Object.keys(thresholds.shape),
  ingest: ["gitignore", "html", "password", "maxFileBytes", "records", "metadata"],
  "ingest.records": Object.keys(records.shape),
};

function knownKeys(path: readonly string[]): readonly string[] {
  return SHAPES[path.join(".")] ?? [];
}

function show(value: unknown): string {
  if (value === undefined) return "missing";
  if (typeof value === "object" && value !== null) return Array.isArray(value) ? "a list" : "an object";
  return typeof value === "function" ? "a function" : JSON.stringify(value);
}

function property(value: unknown, key: string): unknown {
  return typeof value === "object" && value !== null ? (value as Record<string, unknown>)[key] : undefined;
}

function isText(value: unknown): boolean {
  return typeof value === "string" && value.trim() !== "";
}

/** A language model, an embedding model or an `Embedder`, told by what it can do. */
function isModel(value: unknown): boolean {
  return ["doGenerate", "doEmbed", "embedDocuments"].some(
    (key) => typeof property(value, key) === "function",
  );
}
