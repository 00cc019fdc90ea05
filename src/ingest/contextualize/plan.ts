import { estimateTokens } from "../../llm/estimate-tokens.ts";
import type { ModelFacts } from "../../llm/model-facts.ts";
import type { Chunk, ContextKey, ContextPlan, Document, PromptDocument } from "../../spec/index.ts";
import { countTokens } from "../../text/count-tokens.ts";
import { groupFront, groupRequest, type NumberedChunk, numberedText } from "./prompt-grouped.ts";
import { promptDocument, type Recipe } from "./recipe.ts";
import { outlineOf, windowsOf } from "./windows.ts";

export interface PlanSettings {
  readonly plan: ContextPlan;
  /** Most chunks in one call. */
  readonly groupSize: number;
  readonly facts: ModelFacts;
  /** Longest front; a longer document is read in windows. Tokens. */
  readonly frontLimit: number;
  readonly batch: boolean;
  readonly recipe: Recipe;
  /** The model's tokens for a text over those of `estimateTokens`. */
  readonly tokenFactor: number;
  /** Fewest calls of a batch over one front for which writing it to the cache is expected to pay. */
  readonly leastInBatch: number;
}

/** A chunk whose context is wanted. */
export interface Target {
  readonly chunk: Chunk;
  readonly key: ContextKey;
  /** Place among the document's chunks. */
  readonly index: number;
  /** What was wrong with the context that came the last time. */
  readonly note?: string | undefined;
}

/** Calls that share a front. */
export interface Part {
  readonly front: string;
  /** As the model counts them. */
  readonly frontTokens: number;
  /** The same, on the safe side. */
  readonly mostFrontTokens: number;
  /** Lifetime to ask the provider's cache for; false when it is not worth it or not possible. */
  readonly cache: false | "5m" | "1h";
  /** Whether the front is long enough for the mark to do something. */
  readonly kept: boolean;
  readonly grouped: boolean;
  readonly document: PromptDocument;
  /** Chunks by call. */
  readonly calls: readonly (readonly Target[])[];
  /** The same front with nothing numbered, for chunks asked for one by one. */
  plain(): Part;
}

export interface DocumentPlan {
  readonly policy: "single" | "grouped" | "windowed";
  readonly cached: boolean;
  readonly reason: string;
  readonly parts: readonly Part[];
}

/** Windows of a long document: enough around a chunk, and cheap enough to be read for each. Tokens. */
const WINDOW_TOKENS = 40_000;
/** An estimate that says "long enough to be cached" must not be wrong by a little. */
const CACHE_MARGIN = 1.08;

/** How the contexts of a document are asked for, and why. */
export function planDocument(
  document: Document,
  chunks: readonly Chunk[],
  targets: readonly Target[],
  settings: PlanSettings,
): DocumentPlan {
  const tokens = estimateTokens(document.text) * settings.tokenFactor;
  if (tokens > settings.frontLimit) return planWindows(document, targets, tokens, settings);
  const whole = { start: 0, end: document.text.length };
  const { grouped, reason } = groupedOrNot(tokens, targets.length, settings);
  const part = partOf(document, "", whole, grouped ? chunks : [], targets, grouped, settings);
  const cached = part.kept || isAutomatic(part, settings);
  return { policy: grouped ? "grouped" : "single", cached, reason: reasonOf(reason, cached), parts: [part] };
}

function planWindows(
  document: Document,
  targets: readonly Target[],
  tokens: number,
  settings: PlanSettings,
): DocumentPlan {
  const perToken = document.text.length / tokens;
  const size = Math.min(settings.frontLimit * 0.9, WINDOW_TOKENS) * perToken;
  const outline = outlineOf(document, Math.floor(size * 0.08));
  const chunks = targets.map(({ chunk }) => chunk);
  const parts = windowsOf(document.text.length, chunks, size).map((window) => {
    const members = window.members.flatMap((index) => targets[index] ?? []);
    const { grouped } = groupedOrNot((window.end - window.start) / perToken, members.length, settings);
    const numbered = grouped ? members.map(({ chunk }) => chunk) : [];
    return partOf(document, outline, window, numbered, members, grouped, settings);
  });
  const reason = `longer than ${settings.frontLimit.toLocaleString("en")} tokens, read through its outline and ${parts.length} windows`;
  return { policy: "windowed", cached: parts.some(({ kept }) => kept), reason, parts };
}

function groupedOrNot(
  tokens: number,
  wanted: number,
  { plan, facts, batch, groupSize }: PlanSettings,
): { readonly grouped: boolean; readonly reason: string } {
  if (batch && !facts.forcedTools)
    return { grouped: false, reason: "this model refuses the forced tool call that a grouped batch needs" };
  if (groupSize < 2)
    return { grouped: false, reason: "groups are of one chunk, or came back in a wrong form" };
  if (plan !== "auto") return { grouped: plan === "grouped" && wanted > 1, reason: "as was asked for" };
  if (wanted === 1) return { grouped: false, reason: "one chunk wants a context" };
  if (facts.caching === "none")
    return {
      grouped: true,
      reason: "the model is not known to cache; each call would send the document again",
    };
  const least = facts.minCacheTokens * CACHE_MARGIN;
  return tokens >= least
    ? { grouped: false, reason: "long enough to be cached, so each chunk is asked for as published" }
    : {
        grouped: true,
        reason: `shorter than the ${facts.minCacheTokens.toLocaleString("en")} tokens that this model caches from`,
      };
}

function reasonOf(reason: string, cached: boolean): string {
  return cached || /cach/.test(reason) ? reason : `${reason}; not cached`;
}

function partOf(
  document: Document,
  outline: string,
  { start, end }: { readonly start: number; readonly end: number },
  numbered: readonly Chunk[],
  targets: readonly Target[],
  grouped: boolean,
  settings: PlanSettings,
): Part {
  const { recipe, groupSize, tokenFactor } = settings;
  const marks = numbered.map(
    (chunk): NumberedChunk => ({
      number: numberOf(chunk),
      start: chunk.start - start,
      end: chunk.end - start,
    }),
  );
  const body = numberedText(document.text.slice(start, end), marks, recipe.safe);
  const text = outline === "" ? body : `${recipe.safe(outline)}\n\n[…]\n\n${body}\n\n[…]`;
  const shown = promptDocument(recipe, document, text);
  const front = grouped ? groupFront(recipe.prompt, shown) : recipe.prompt.front(shown);
  const frontTokens = Math.round(estimateTokens(front) * tokenFactor);
  const calls = grouped ? evenly(targets, groupSize) : targets.map((target) => [target]);
  const cache = lifetimeOf(calls.length, settings);
  return {
    front,
    frontTokens,
    mostFrontTokens: Math.max(frontTokens, mostTokens(front, tokenFactor)),
    cache,
    kept: cache !== false && frontTokens >= settings.facts.minCacheTokens,
    grouped,
    document: shown,
    calls,
    plain: () => partOf(document, outline, { start, end }, [], targets, false, settings),
  };
}

/** Tokens of a text on the safe side. */
export function mostTokens(text: string, tokenFactor: number): number {
  return Math.ceil(countTokens(text) * Math.max(1, tokenFactor));
}

/** Number of a chunk in a numbered text, from 1. */
export function numberOf({ ordinal }: Chunk): number {
  return ordinal + 1;
}

/**
 * A batch may take longer than five minutes, so that its prompts are cached for an hour (Anthropic, "Batch processing",
 * on prompt caching); calls made here follow each other closely enough for five minutes, which each use renews. Below the
 * shortest length a mark does nothing and costs nothing, so that a length estimated a little too low loses nothing.
 */
function lifetimeOf(calls: number, { facts, batch, leastInBatch }: PlanSettings): Part["cache"] {
  if (facts.caching !== "breakpoints" || calls < (batch ? leastInBatch : 2)) return false;
  return batch ? "1h" : "5m";
}

/** Models that cache without being asked. */
export function isAutomatic({ frontTokens, calls }: Part, { facts }: Pick<PlanSettings, "facts">): boolean {
  return facts.caching === "automatic" && frontTokens >= facts.minCacheTokens && calls.length > 1;
}

/** As few groups as the size allows, of about the same number of chunks. */
function evenly<T>(items: readonly T[], size: number): T[][] {
  const groups = Math.ceil(items.length / size);
  return Array.from({ length: groups }, (_, index) =>
    items.slice(
      Math.floor((index * items.length) / groups),
      Math.floor(((index + 1) * items.length) / groups),
    ),
  );
}

/** What follows the front in a call. */
export function promptOf(part: Part, targets: readonly Target[], recipe: Recipe): string {
  const [first] = targets;
  if (!part.grouped && first !== undefined) {
    const prompt = recipe.prompt.chunk(recipe.safe(first.chunk.text), part.document);
    return first.note === undefined
      ? prompt
      : `${prompt}\n\nThe last answer could not be used: ${first.note}`;
  }
  const notes = targets.flatMap(({ chunk, note }) =>
    note === undefined ? [] : [[numberOf(chunk), note] as const],
  );
  return groupRequest(
    targets.map(({ chunk }) => numberOf(chunk)),
    part.document,
    new Map(notes),
  );
}
