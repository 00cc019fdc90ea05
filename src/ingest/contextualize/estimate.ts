import { estimateTokens } from "../../llm/estimate-tokens.ts";
import { BATCH_FACTOR } from "../../llm/prices.ts";
import type { Chunk, Document, ModeEstimate, TokenEstimate, TokenPrices } from "../../spec/index.ts";
import { callSeconds } from "./expectation.ts";
import { type DocumentPlan, isAutomatic, type Part, planDocument, promptOf, type Target } from "./plan.ts";
import type { Recipe } from "./recipe.ts";
import type { Settings } from "./settings.ts";

/** OpenAI, "Prompt caching": read in steps of 128 tokens. */
const AUTOMATIC_STEP = 128;

export type Mode = ModeEstimate["mode"];
export const MODES: readonly Mode[] = ["single", "grouped", "single, batch", "grouped, batch"];

export interface DocumentCosts {
  readonly missing: number;
  readonly documentTokens: number;
  /** The way that would be taken, here and in a batch. */
  readonly plan: DocumentPlan | undefined;
  readonly batchPlan: DocumentPlan | undefined;
  readonly tokens: TokenEstimate;
  readonly batchTokens: TokenEstimate;
  readonly byMode: Readonly<Record<Mode, TokenEstimate>>;
}

export const NO_TOKENS: TokenEstimate = { calls: 0, input: 0, cacheWrite: 0, cacheRead: 0, output: 0 };

export function estimateDocument(
  settings: Settings,
  document: Document,
  chunks: readonly Chunk[],
  targets: readonly Target[],
): DocumentCosts {
  const planned = (plan: "auto" | "single" | "grouped", batch: boolean) =>
    targets.length === 0
      ? undefined
      : planDocument(document, chunks, targets, {
          ...settings.planning,
          plan: plan === "auto" ? settings.planning.plan : plan,
          batch,
        });
  const sum = (plan: DocumentPlan | undefined, batch: boolean) =>
    plan === undefined ? NO_TOKENS : tokensOf(settings, plan, batch);
  const [plan, batchPlan] = [planned("auto", false), planned("auto", true)];
  return {
    missing: targets.length,
    documentTokens: estimateTokens(document.text),
    plan,
    batchPlan,
    tokens: sum(plan, false),
    batchTokens: sum(batchPlan, true),
    byMode: {
      single: sum(planned("single", false), false),
      grouped: sum(planned("grouped", false), false),
      "single, batch": sum(planned("single", true), true),
      "grouped, batch": sum(planned("grouped", true), true),
    },
  };
}

function tokensOf(settings: Settings, plan: DocumentPlan, batch: boolean): TokenEstimate {
  return plan.parts.map((part) => tokensOfPart(settings, part, batch)).reduce(addTokens, NO_TOKENS);
}

function tokensOfPart(settings: Settings, part: Part, batch: boolean): TokenEstimate {
  const { recipe, expected } = settings;
  const questions = part.calls.reduce(
    (sum, targets) => sum + questionTokens(part, targets, recipe, batch),
    0,
  );
  const contexts = part.calls.reduce((sum, call) => sum + call.length, 0);
  const output = contexts * (part.grouped ? expected.groupedOutput : expected.singleOutput);
  const front = frontOf(settings, part, batch);
  const input = front.input + questions * expected.tokenFactor;
  return { calls: part.calls.length, ...front, input, output };
}

/** What carries the form of a grouped reply is read with every call: the schema, or the tool. */
const SCHEMA_TOKENS = 60;
const TOOL_TOKENS = 110;

/** Tokens of what follows the front, by `estimateTokens`. */
export function questionTokens(
  part: Part,
  targets: readonly Target[],
  recipe: Recipe,
  batch: boolean,
): number {
  const form = part.grouped ? (batch ? TOOL_TOKENS : SCHEMA_TOKENS) : 0;
  return estimateTokens(promptOf(part, targets, recipe)) + form;
}

function frontOf(
  settings: Settings,
  part: Part,
  batch: boolean,
): Pick<TokenEstimate, "input" | "cacheWrite" | "cacheRead"> {
  const { frontTokens, calls } = part;
  const hits = (calls.length - 1) * (batch ? settings.expected.batchHitRate : 1);
  const misses = calls.length - hits;
  if (part.kept) return { input: 0, cacheWrite: frontTokens * misses, cacheRead: frontTokens * hits };
  if (!isAutomatic(part, settings)) return { input: frontTokens * calls.length, cacheWrite: 0, cacheRead: 0 };
  const read = Math.floor(frontTokens / AUTOMATIC_STEP) * AUTOMATIC_STEP;
  return { input: frontTokens * calls.length - read * hits, cacheWrite: 0, cacheRead: read * hits };
}

export function addTokens(a: TokenEstimate, b: TokenEstimate): TokenEstimate {
  return {
    calls: a.calls + b.calls,
    input: a.input + b.input,
    cacheWrite: a.cacheWrite + b.cacheWrite,
    cacheRead: a.cacheRead + b.cacheRead,
    output: a.output + b.output,
  };
}

/** US dollars; undefined without a price. */
export function costOfTokens(
  tokens: TokenEstimate,
  price: TokenPrices | undefined,
  batch: boolean,
): number | undefined {
  if (price === undefined) return undefined;
  const { input, output, cacheRead = input, cacheWrite = input, cacheWriteLong = cacheWrite } = price;
  const sum =
    tokens.input * input +
    tokens.output * output +
    tokens.cacheRead * cacheRead +
    tokens.cacheWrite * (batch ? cacheWriteLong : cacheWrite);
  return (sum / 1_000_000) * (batch ? BATCH_FACTOR : 1);
}

/** With so many calls at a time, at the pace of the calls so far. */
export function secondsOf({ calls, output }: TokenEstimate, concurrency: number, pace: number): number {
  return Math.ceil((callSeconds(calls, output) * pace) / Math.max(1, Math.min(concurrency, calls)));
}
