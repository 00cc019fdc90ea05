import { randomUUID } from "node:crypto";
import { join } from "node:path";
import { addTokens, costOfTokens, NO_TOKENS } from "../src/ingest/contextualize/estimate.ts";
import { createLlmContextualizer } from "../src/ingest/contextualize/llm.ts";
import { modelFacts } from "../src/llm/model-facts.ts";
import { priceOf } from "../src/llm/prices.ts";
import { loadProvider } from "../src/models/load-provider.ts";
import { parseModelName } from "../src/models/name.ts";
import { resolveLanguageModel } from "../src/models/resolve.ts";
import { type ContextPlan, NO_USAGE, type Usage } from "../src/spec/index.ts";
import { openSqliteContextStore } from "../src/stores/sqlite/context-store.ts";
import {
  type SimulatedCall,
  startSimulatedProvider,
  type TokenPiece,
} from "../src/testing/provider/index.ts";
import { addUsage } from "../src/util/usage.ts";
import type { Pieces, Prepared } from "./contexts-documents.ts";

export interface RunOptions {
  readonly model: string;
  readonly documents: readonly Prepared[];
  readonly pieces: Pieces;
  readonly folder: string;
  readonly plan?: ContextPlan;
  readonly batch?: boolean;
  readonly hitRate?: number;
}

export interface Run {
  /** Dollars by the ledger. */
  readonly cost: number;
  readonly usage: Usage;
  /** Dollars that the estimate said before. */
  readonly estimated: number;
  /** Dollars if every token of the prompts had been paid for in full. */
  readonly uncached: number;
}

/** Writes the contexts of all documents through a simulated provider of its own. */
export async function runContexts(options: RunOptions): Promise<Run> {
  const { model, documents, pieces, folder, plan, batch = false, hitRate = 0.7 } = options;
  const provider = await startSimulatedProvider({
    tokenPieces: pieces,
    batchHitRate: hitRate,
    batchMs: 10,
  });
  provider.script((call) => reply(call, pieces));
  const store = openSqliteContextStore({ path: join(folder, `${randomUUID()}.sqlite`) });
  const where = { apiKeys: { anthropic: "x", openai: "x" }, baseUrls: provider.baseUrls };
  const { id, model: resolved } = await resolveLanguageModel(model, where);
  const contexts = createLlmContextualizer({
    model: resolved,
    modelId: id,
    contextStore: store,
    plan,
    batchProvider: async () => loadProvider(parseModelName(model), where),
    pollMs: 5,
    settleMs: 0,
  });
  const estimates = documents.map((prepared) => contexts.estimate(prepared));
  const tokens = estimates.map((one) => (batch ? one.batchTokens : one.tokens)).reduce(addTokens, NO_TOKENS);
  const faults: unknown[] = [];
  if (batch) faults.push((await contexts.batches({ documents })).report.faults);
  // Ten documents at a time, as an index does it.
  else
    for (let i = 0; i < documents.length; i += 10)
      for (const { contexts: written } of await Promise.all(
        documents.slice(i, i + 10).map((input) => contexts.contextualize(input)),
      ))
        faults.push(...written.filter((one) => "error" in one));
  const missing = documents.reduce((sum, input) => sum + contexts.estimate(input).missing, 0);
  if (missing > chunksIn(documents) / 20)
    throw new Error(
      `${missing} contexts are missing (${JSON.stringify(faults)}); the figures would be wrong.`,
    );
  store.close();
  await provider.close();
  const usage = provider.ledger.reduce((sum, entry) => addUsage(sum, entry.usage ?? NO_USAGE), NO_USAGE);
  const cost = provider.ledger.reduce((sum, entry) => sum + (entry.cost ?? 0), 0);
  const price = priceOf(id);
  const uncached =
    ((price?.input ?? 0) * usage.inputTokens + (price?.output ?? 0) * usage.outputTokens) / 1e6;
  return { cost, usage, uncached, estimated: costOfTokens(tokens, price, batch) ?? 0 };
}

function chunksIn(documents: readonly Prepared[]): number {
  return documents.reduce((sum, { chunks }) => sum + chunks.length, 0);
}

export function minimumOf(model: string): number {
  return modelFacts(model).minCacheTokens;
}

const contextTokens = 100;

/** Contexts of 100 tokens: every third word of the chunk, backwards, so that they name nothing new and copy nothing. */
function reply({ messages, system, structured }: SimulatedCall, pieces: Pieces): string {
  const last = messages.at(-1)?.text ?? "";
  const sent = [system, ...messages.map(({ text }) => text)].join("\n");
  if (!structured) return contextOf(between(last, "chunk"), sent, pieces);
  const numbers = /Chunks ([\d, ]+)\./.exec(last)?.[1]?.split(", ").map(Number) ?? [];
  const contexts = numbers.map((chunk) => ({
    chunk,
    context: contextOf(between(sent, `chunk-${chunk}`), sent, pieces),
  }));
  return JSON.stringify({ contexts });
}

function contextOf(chunk: string, sent: string, pieces: Pieces): string {
  const words = (text: string) =>
    text.replace(/<\/?chunk[^>]*>/g, "").match(/\p{Script=Han}|[^\s\p{Script=Han}]+/gu) ?? [];
  // A short chunk has too few words: those of the document follow.
  const all = [...words(chunk).toReversed(), ...words(documentIn(sent)).toReversed()];
  // A short document has too few words: they come again, from another beginning.
  const spread = [0, 1, 2].flatMap((offset) => all.filter((_, index) => index % 3 === offset));
  const chosen = [...new Set(spread), ...spread];
  let text = "[simulated]";
  let sum = 3;
  for (const word of chosen) {
    const next = /\p{Script=Han}/u.test(word) ? word : ` ${word}`;
    for (const { tokens } of pieces(next)) sum += tokens;
    if (sum > contextTokens) break;
    text += next;
  }
  return text;
}

function documentIn(sent: string): string {
  const start = sent.indexOf(">", sent.indexOf("<document")) + 1;
  return sent.slice(start, Math.min(start + 4_000, sent.indexOf("</document>")));
}

function between(text: string, tag: string): string {
  const start = text.indexOf(`<${tag}>`);
  const end = text.indexOf(`</${tag}>`, start);
  return start < 0 ? "" : text.slice(start + tag.length + 2, end < 0 ? undefined : end);
}

/** Words and signs, for when no tokenizer is at hand. */
export function* roughPieces(text: string): Generator<TokenPiece> {
  for (const match of text.matchAll(/\p{L}{1,6}|\p{Nd}{1,3}|[^\s\p{L}\p{Nd}]/gu))
    yield { end: match.index + match[0].length, tokens: 1 };
}
