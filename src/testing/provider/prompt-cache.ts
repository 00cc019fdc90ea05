import { sha256 } from "../../util/hash.ts";
import { roughTokens, type TokenCounter } from "./tokens.ts";
import type { PromptBlock } from "./types.ts";

/** What a request takes from the cache and what its response will put there. */
export interface CachePlan {
  readonly read: number;
  readonly write: number;
  /** Called when the response begins: only then can others read what it writes. */
  begin(): void;
}

/** Half an hour: OpenAI, "Prompt caching", on explicit breakpoints. */
const lifetimes = { "5m": 5 * 60_000, "30m": 30 * 60_000, "1h": 60 * 60_000 } as const;

/**
 * Anthropic, "Prompt caching", on cache limitations: shortest prefix that is cached, in tokens, by model; else 1,024.
 * OpenAI, "Prompt caching": 1,024.
 */
const minimums: readonly (readonly [RegExp, number])[] = [
  [/-5-5|(opus|fable|mythos)-5/, 512],
  [/haiku-4-5|opus-4-[56]/, 4_096],
  [/opus-4-7|sonnet-4-6|3-5-haiku|3-haiku|haiku-3/, 2_048],
];

export function minimumCacheable(model: string): number {
  return minimums.find(([pattern]) => pattern.test(model))?.[1] ?? 1_024;
}

/** Anthropic, "Prompt caching": a search for an earlier entry goes back at most this many blocks from a breakpoint. */
const lookBack = 20;

interface Entry {
  readonly expiresAt: number;
  readonly lifetime: number;
}

/**
 * Caching at breakpoints (Anthropic, "Prompt caching"). An entry is an exact prefix up to a breakpoint, made for one
 * model and one output format; it lives five minutes or an hour from the start of the last request that used it, and
 * it can be read once the response of the request that wrote it has begun.
 */
export function createBreakpointCache(now: () => number, counter: TokenCounter = roughTokens) {
  const entries = new Map<string, Entry>();
  const live = (key: string, at: number) => {
    const entry = entries.get(key);
    return entry !== undefined && entry.expiresAt > at ? entry : undefined;
  };

  return (model: string, head: string, blocks: readonly PromptBlock[]): CachePlan => {
    const startedAt = now();
    const prefixes = prefixesOf(`${model}\n${head}`, blocks, counter);
    const points = prefixes.flatMap(({ cache }, index) => (cache === undefined ? [] : [index]));
    const long = points.filter((index) => (prefixes[index]?.tokens ?? 0) >= minimumCacheable(model));
    const hit = deepestHit(long, (index) => live(prefixes[index]?.key ?? "", startedAt) !== undefined);
    const found = hit === undefined ? undefined : prefixes[hit];
    const entry = found && live(found.key, startedAt);
    if (found && entry) entries.set(found.key, { ...entry, expiresAt: startedAt + entry.lifetime });
    const written = long.filter((index) => index > (hit ?? -1)).flatMap((index) => prefixes[index] ?? []);
    const read = found?.tokens ?? 0;
    return {
      read,
      write: written.length === 0 ? 0 : (written.at(-1)?.tokens ?? 0) - read,
      begin() {
        for (const { key, cache } of written) {
          const lifetime = lifetimes[cache ?? "5m"];
          entries.set(key, { lifetime, expiresAt: startedAt + lifetime });
        }
      },
    };
  };
}

interface Prefix {
  readonly key: string;
  readonly tokens: number;
  readonly cache: PromptBlock["cache"];
}

function prefixesOf(head: string, blocks: readonly PromptBlock[], counter: TokenCounter): Prefix[] {
  let key = sha256(head);
  let tokens = 0;
  return blocks.map(({ text, cache }) => {
    key = sha256(`${key}\n${text}`);
    tokens += counter.count(text);
    return { key, tokens, cache };
  });
}

function deepestHit(points: readonly number[], isLive: (index: number) => boolean): number | undefined {
  for (const point of points.toReversed())
    for (let index = point; index >= 0 && index > point - lookBack; index--) if (isLive(index)) return index;
  return undefined;
}

const smallestAutomatic = 1_024;
const automaticStep = 128;

/**
 * Caching without being asked (OpenAI, "Prompt caching"): the longest known beginning of the prompt, from 1,024 tokens
 * on in steps of 128. Writing costs nothing and is not reported.
 */
export function createAutomaticCache(now: () => number, counter: TokenCounter = roughTokens) {
  const entries = new Map<string, number>();

  return (model: string, head: string, blocks: readonly PromptBlock[]): CachePlan => {
    const startedAt = now();
    const steps = stepsOf(`${model}\n${head}`, blocks.map(({ text }) => text).join("\n"), counter);
    const hit = steps.findLast(({ key }) => (entries.get(key) ?? 0) > startedAt);
    return {
      read: hit?.tokens ?? 0,
      write: 0,
      begin() {
        for (const { key } of steps) entries.set(key, startedAt + lifetimes["5m"]);
      },
    };
  };
}

function stepsOf(
  head: string,
  prompt: string,
  counter: TokenCounter,
): readonly { readonly key: string; readonly tokens: number }[] {
  const steps: { key: string; tokens: number }[] = [];
  let key = sha256(head);
  let tokens = 0;
  let from = 0;
  let next = smallestAutomatic;
  for (const piece of counter.pieces(prompt)) {
    tokens += piece.tokens;
    if (tokens < next) continue;
    key = sha256(`${key}\n${prompt.slice(from, piece.end)}`);
    from = piece.end;
    steps.push({ key, tokens: next });
    next += automaticStep;
  }
  return steps;
}
