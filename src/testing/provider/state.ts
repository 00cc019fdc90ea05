import { costOf, priceOf } from "../../llm/prices.ts";
import { type BatchStore, createBatchStore } from "./batches.ts";
import type { PendingFault } from "./faults.ts";
import { asText, type Json } from "./json.ts";
import { type CachePlan, createAutomaticCache, createBreakpointCache } from "./prompt-cache.ts";
import type { DecidedReply } from "./replies.ts";
import type { Route } from "./routes.ts";
import { createTokenCounter, type TokenCounter } from "./tokens.ts";
import type {
  OpenEntry,
  ReadRequest,
  Reply,
  ReplyTokens,
  Script,
  SimulatedCall,
  SimulatedOutcome,
  SimulatedProviderOptions,
} from "./types.ts";

/** All that a running simulation remembers. */
export interface Simulation {
  readonly options: Required<Omit<SimulatedProviderOptions, "tokenPieces">>;
  readonly ledger: OpenEntry[];
  readonly faults: PendingFault[];
  readonly counter: TokenCounter;
  readonly breakpointCache: ReturnType<typeof createBreakpointCache>;
  readonly automaticCache: ReturnType<typeof createAutomaticCache>;
  readonly batches: BatchStore;
  script: Script | undefined;
  outcome: ((call: SimulatedCall) => SimulatedOutcome) | undefined;
}

const defaults = { apiKeys: {}, latencyMs: 0, dimensions: 256, batchMs: 50, batchHitRate: 0.7, prices: {} };

export function createSimulation(options: SimulatedProviderOptions): Simulation {
  const now = options.now ?? Date.now;
  const counter = createTokenCounter(options.tokenPieces);
  return {
    options: { ...defaults, ...options, now },
    ledger: [],
    faults: [],
    counter,
    breakpointCache: createBreakpointCache(now, counter),
    automaticCache: createAutomaticCache(now, counter),
    batches: createBatchStore(),
    script: undefined,
    outcome: undefined,
  };
}

export function openEntry(
  simulation: Simulation,
  { provider, path }: Pick<Route, "provider" | "path">,
  body: Json,
): OpenEntry {
  const startedAt = simulation.options.now();
  const entry: OpenEntry = { provider, path, model: asText(body.model) ?? "", body, status: 0, startedAt };
  simulation.ledger.push(entry);
  return entry;
}

export function callOf(entry: OpenEntry, read: ReadRequest, stream: boolean): SimulatedCall {
  const { provider, path, model, body } = entry;
  const { system, messages, maxTokens, structured, documents } = read;
  const said = system.join("\n\n");
  return { provider, path, model, system: said, messages, maxTokens, stream, structured, documents, body };
}

/** OpenAI, "Prompt caching": from GPT-5.6 on an entry is matched at a breakpoint, never at a shorter beginning. */
export function cachesAtBreakpoints(provider: OpenEntry["provider"], model: string): boolean {
  return provider === "anthropic" || (provider === "openai" && /^gpt-(?:5\.[6-9]|[6-9])/.test(model));
}

export function tokensOfReply(
  { counter }: Simulation,
  read: ReadRequest,
  plan: Pick<CachePlan, "read" | "write">,
  decided: DecidedReply,
): ReplyTokens {
  const prompt = read.blocks.reduce((sum, { text }) => sum + counter.count(text), 0);
  const input = prompt - plan.read - plan.write;
  return { input, output: decided.outputTokens, cacheRead: plan.read, cacheWrite: plan.write };
}

export function replyOf(
  simulation: Simulation,
  entry: OpenEntry,
  { tool, documents = [] }: ReadRequest,
  { text, parts, stop }: DecidedReply,
  tokens: ReplyTokens,
): Reply {
  const { now } = simulation.options;
  const id = `sim_${simulation.ledger.indexOf(entry) + 1}`;
  const created = Math.floor(now() / 1_000);
  return { id, model: entry.model, text, parts, documents, stop, tokens, tool, created };
}

export function begin(
  { options }: Simulation,
  entry: OpenEntry,
  tokens: ReplyTokens,
  blocks: ReadRequest["blocks"] = [],
): void {
  entry.status = 200;
  entry.begunAt = options.now();
  entry.usage = {
    calls: 1,
    inputTokens: tokens.input + tokens.cacheRead + tokens.cacheWrite,
    outputTokens: tokens.output,
    cacheReadTokens: tokens.cacheRead,
    cacheWriteTokens: tokens.cacheWrite,
  };
  const price = priceOf(`${entry.provider}:${entry.model}`, options.prices);
  const lifetime = blocks.some(({ cache }) => cache === "1h") ? "1h" : "5m";
  entry.cost = costOf(entry.usage, price, { lifetime, batch: entry.batch !== undefined });
}
