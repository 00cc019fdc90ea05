import { PRICES_AS_OF } from "../llm/price-table.ts";
import { priceOf } from "../llm/prices.ts";
import {
  type ContextEstimate,
  type DocumentEstimate,
  type EstimateOptions,
  KonteksError,
  type ModeEstimate,
  type RepairOptions,
  type TokenEstimate,
} from "../spec/index.ts";
import type { PreparedDocument } from "./contextualize/batch-work.ts";
import type { ContextRun } from "./contextualize/contextualize.ts";
import {
  addTokens,
  costOfTokens,
  type DocumentCosts,
  MODES,
  NO_TOKENS,
  secondsOf,
} from "./contextualize/estimate.ts";
import type { LlmContextualizer } from "./contextualize/llm.ts";
import { freeRun } from "./contextualize/settings.ts";
import type { IngestParts } from "./parts.ts";
import type { Source } from "./pending.ts";
import { placeDocuments } from "./placement.ts";
import { readChanged } from "./prepare-contexts.ts";
import { documentsToRepair } from "./wanting.ts";

/** What the contexts of a source would cost. Reads and cuts every document that would be indexed; calls nothing. */
export async function estimateContexts(
  parts: IngestParts,
  openSource: () => Promise<Source>,
  options: EstimateOptions = {},
): Promise<ContextEstimate> {
  const contexts = modelOf(parts);
  const source = await openSource();
  const known = new Map((await parts.store.listDocuments()).map((document) => [document.id, document]));
  const notes: string[] = [];
  const unreadable = (id: string, error: unknown) =>
    void notes.push(`${id}: ${error instanceof Error ? error.message : String(error)}`);
  const placed = placeDocuments(source, [...known.values()]);
  const documents = await readChanged(parts, placed.documents, known, options, unreadable);
  return { ...estimateOf(parts, contexts, documents, options), notes };
}

/** What `repair` would cost, by the same options. */
export async function estimateRepair(
  parts: IngestParts,
  options: RepairOptions = {},
): Promise<ContextEstimate> {
  const contexts = modelOf(parts);
  const renewStale = options.stale === true;
  const documents = await documentsToRepair(parts, renewStale);
  const run = { ...freeRun(), renewStale };
  return estimateOf(parts, contexts, documents, options, run);
}

function modelOf({ modelContexts }: IngestParts): LlmContextualizer {
  if (modelContexts === undefined) throw noModel();
  return modelContexts();
}

function estimateOf(
  parts: IngestParts,
  contexts: LlmContextualizer,
  documents: readonly PreparedDocument[],
  options: EstimateOptions,
  run?: ContextRun,
): ContextEstimate {
  const costs = documents.map(({ document, chunks }) => ({
    id: document.id,
    chunks: chunks.length,
    costs: contexts.estimate({ document, chunks, run }),
  }));
  return {
    ...totals(
      contexts,
      costs.map(({ costs }) => costs),
      options,
    ),
    host: contexts.host,
    documents: documents.length,
    chunks: costs.reduce((sum, { chunks }) => sum + chunks, 0),
    byDocument: costs.map(({ id, chunks, costs }) =>
      documentEstimate(contexts, id, chunks, costs, options.batch === true),
    ),
    otherContexts: otherContexts(parts, contexts),
    requestsUnderWay: requestsUnderWay(parts, contexts),
    notes: [],
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
  "host" | "documents" | "chunks" | "byDocument" | "otherContexts" | "requestsUnderWay" | "notes"
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

function requestsUnderWay({ contextStore }: IngestParts, { recipe }: LlmContextualizer): number {
  const open = contextStore.batches().filter((batch) => batch.recipe === recipe);
  return open.reduce((sum, { items }) => sum + items.length, 0);
}
