import { PRICES_AS_OF } from "../llm/price-table.ts";
import { priceOf } from "../llm/prices.ts";
import {
  type ContextEstimate,
  type DocumentEstimate,
  type EstimateOptions,
  KonteksError,
  type ModeEstimate,
  type TokenEstimate,
} from "../spec/index.ts";
import {
  addTokens,
  costOfTokens,
  type DocumentCosts,
  MODES,
  NO_TOKENS,
  secondsOf,
} from "./contextualize/estimate.ts";
import type { LlmContextualizer } from "./contextualize/llm.ts";
import type { IngestParts } from "./parts.ts";
import type { Source } from "./pending.ts";
import { placeDocuments } from "./placement.ts";
import { readChanged } from "./prepare-contexts.ts";

/** What the contexts of a source would cost. Reads and cuts every document that would be indexed; calls nothing. */
export async function estimateContexts(
  parts: IngestParts,
  openSource: () => Promise<Source>,
  options: EstimateOptions = {},
): Promise<ContextEstimate> {
  if (parts.modelContexts === undefined) throw noModel();
  const source = await openSource();
  const contexts = parts.modelContexts();
  const known = new Map((await parts.store.listDocuments()).map((document) => [document.id, document]));
  const notes: string[] = [];
  const unreadable = (id: string, error: unknown) =>
    void notes.push(`${id}: ${error instanceof Error ? error.message : String(error)}`);
  const placed = placeDocuments(source, [...known.values()]);
  const documents = await readChanged(parts, placed.documents, known, options, unreadable);
  const costs = documents.map((prepared) => ({ ...prepared, costs: contexts.estimate(prepared) }));
  return {
    ...totals(
      contexts,
      costs.map(({ costs }) => costs),
      options,
    ),
    host: contexts.host,
    documents: documents.length,
    chunks: documents.reduce((sum, { chunks }) => sum + chunks.length, 0),
    byDocument: costs.map(({ document, chunks, costs }) =>
      documentEstimate(contexts, document.id, chunks.length, costs, options.batch === true),
    ),
    otherContexts: otherContexts(parts, contexts),
    notes,
  };
}

function noModel(): KonteksError {
  return new KonteksError(
    "wrong-option",
    "No model writes contexts here, so they cost nothing. Name one: --context-model anthropic:claude-haiku-4-5 (library: contextModel).",
  );
}

type Totals = Omit<
  ContextEstimate,
  "host" | "documents" | "chunks" | "byDocument" | "otherContexts" | "notes"
>;

function totals(
  contexts: LlmContextualizer,
  costs: readonly DocumentCosts[],
  { batch = false, concurrency = contexts.concurrency }: EstimateOptions,
): Totals {
  const { price, modelId } = contexts;
  const { pace, batchHitRate, calls: learntFrom } = contexts.expected();
  const documentTokens = costs.reduce((sum, one) => sum + (one.missing > 0 ? one.documentTokens : 0), 0);
  const sum = (pick: (one: DocumentCosts) => TokenEstimate) =>
    rounded(costs.map(pick).reduce(addTokens, NO_TOKENS));
  const priced = (tokens: TokenEstimate, inBatch: boolean) => {
    const cost = costOfTokens(tokens, price, inBatch);
    if (cost === undefined) return {};
    return { cost, ...(documentTokens > 0 && { costPerMillion: (cost / documentTokens) * 1_000_000 }) };
  };
  const tokens = sum((one) => (batch ? one.batchTokens : one.tokens));
  const otherwise = costOfTokens(
    sum((one) => (batch ? one.tokens : one.batchTokens)),
    price,
    !batch,
  );
  const modes = MODES.map((mode): ModeEstimate => {
    const inBatch = mode.endsWith("batch");
    const used = sum((one) => one.byMode[mode]);
    return {
      mode,
      tokens: used,
      ...priced(used, inBatch),
      ...(!inBatch && { seconds: secondsOf(used, concurrency, pace) }),
    };
  });
  return {
    model: modelId,
    missing: costs.reduce((total, { missing }) => total + missing, 0),
    documentsSent: costs.filter(({ missing }) => missing > 0).length,
    documentTokens,
    tokens,
    ...priced(tokens, batch),
    ...(otherwise !== undefined && { [batch ? "costWithoutBatch" : "costInBatch"]: otherwise }),
    ...(!batch && { seconds: secondsOf(tokens, concurrency, pace) }),
    modes,
    batchHitRate,
    learntFrom,
    ...(price && { pricesAsOf: price === priceOf(modelId) ? PRICES_AS_OF : "own" }),
  };
}

function rounded(tokens: TokenEstimate): TokenEstimate {
  const { calls, input, cacheWrite, cacheRead, output } = tokens;
  return {
    calls,
    input: Math.round(input),
    cacheWrite: Math.round(cacheWrite),
    cacheRead: Math.round(cacheRead),
    output: Math.round(output),
  };
}

function documentEstimate(
  { price }: LlmContextualizer,
  id: string,
  chunks: number,
  costs: DocumentCosts,
  batch: boolean,
): DocumentEstimate {
  const plan = batch ? costs.batchPlan : costs.plan;
  const tokens = rounded(batch ? costs.batchTokens : costs.tokens);
  const cost = costOfTokens(tokens, price, batch);
  return {
    id,
    chunks,
    missing: costs.missing,
    documentTokens: costs.documentTokens,
    tokens,
    ...(cost !== undefined && { cost }),
    policy: plan?.policy ?? "none",
    cached: plan?.cached ?? false,
    reason: plan?.reason ?? "every context is there already",
  };
}

function otherContexts({ contextStore }: IngestParts, { recipe }: LlmContextualizer): number {
  return contextStore.recipes().reduce((sum, one) => sum + (one.recipe === recipe ? 0 : one.contexts), 0);
}
