import { randomBytes } from "node:crypto";
import { type BatchItem, type BatchRequest, batchResults, startBatch } from "../../llm/ai.ts";
import { systemClock } from "../../llm/clock.ts";
import { abortedError, isFatalForModel } from "../../llm/errors.ts";
import {
  type Chunk,
  type Document,
  KonteksError,
  type StoredBatch,
  type StoredBatchItem,
} from "../../spec/index.ts";
import { highestCost, partsOfPrompt, unlimited } from "./asking.ts";
import { createPiles } from "./batch-piles.ts";
import { type BatchPlace, waitForEnd } from "./batch-wait.ts";
import type { ContextRun, ModelContexts } from "./contextualize.ts";
import { numberOf, type Part, planDocument, promptOf, type Target } from "./plan.ts";
import { GROUP_TOOL } from "./prompt-grouped.ts";
import { documentHash, keysOf } from "./recipe.ts";
import { judge } from "./replies.ts";
import { freeRun, replyLimit, type Settings } from "./settings.ts";
import { keep, lookUp } from "./stored.ts";
import { createTally, type Tally } from "./tally.ts";

export interface PreparedDocument {
  readonly document: Document;
  readonly chunks: readonly Chunk[];
}

export interface BatchRun {
  /** Documents whose missing contexts are asked for in batches; none to only finish what was begun. */
  readonly documents: readonly PreparedDocument[];
  readonly run?: ContextRun | undefined;
  readonly signal?: AbortSignal | undefined;
  /** Told how many requests are at the provider, and how many of them have ended. */
  readonly onProgress?: ((progress: { readonly items: number; readonly done: number }) => void) | undefined;
}

/** Requests that expired or failed are started again, so many times in all. */
const ROUNDS = 3;
/** A context that does not pass the checks is asked for once more. */
const ASKS = 2;

interface Work {
  readonly settings: Settings;
  readonly batch: BatchRun;
  readonly place: BatchPlace;
  readonly run: ContextRun;
  readonly tally: Tally;
  /** By document id. */
  readonly documents: ReadonlyMap<string, PreparedDocument>;
  /** By document id and hash, as far as they were needed. */
  readonly chunks: Map<string, ReadonlyMap<string, Chunk>>;
  /** What was wrong with contexts that came, by document and chunk. */
  readonly notes: Map<string, readonly string[]>;
  /** What the batches under way may cost at most, by id. */
  readonly reserved: Map<string, number>;
  readonly progress: { items: number; done: number };
}

/** A request with what it is about. */
interface Item {
  readonly stored: StoredBatchItem;
  readonly request: BatchRequest;
  readonly highest: number;
}

/**
 * Contexts at half the price, through the provider's batches. What is meant to be started is on disk before it is; after
 * a crash the batch is looked for at the provider, by the ids of its requests, and never started a second time.
 */
export async function runBatches(settings: Settings, batch: BatchRun): Promise<ModelContexts> {
  const work = await workOf(settings, batch);
  if (work !== undefined) {
    await finishOpen(work);
    for (let round = 0; round < ROUNDS && batch.documents.length > 0; round++)
      if (!(await runRound(work, round))) break;
  }
  const tally = work?.tally ?? createTally(settings.price);
  return { contexts: [], usage: tally.usage, report: tally.report(), warnings: [] };
}

async function workOf(settings: Settings, batch: BatchRun): Promise<Work | undefined> {
  const { contextStore, modelId, recipe } = settings;
  const open = (contextStore.batches?.() ?? []).filter(
    (one) => one.modelId === modelId && one.recipe === recipe.id,
  );
  if (open.length === 0 && batch.documents.length === 0) return undefined;
  const provider = await settings.batchProvider?.();
  if (provider === undefined || contextStore.putBatch === undefined) throw noBatches(settings);
  return {
    settings,
    batch,
    place: { ...settings, provider, signal: batch.signal, clock: systemClock },
    run: batch.run ?? freeRun(),
    tally: createTally(settings.price),
    documents: new Map(batch.documents.map((one) => [one.document.id, one])),
    chunks: new Map(),
    notes: new Map(),
    reserved: new Map(),
    progress: { items: 0, done: 0 },
  };
}

function noBatches({ modelId, facts }: Settings): KonteksError {
  const why =
    facts.batch === undefined
      ? `${modelId} has no batches that are known here; Anthropic's and OpenAI's models have.`
      : `Batches need ${modelId} by its name ("provider:model") and a context file.`;
  return new KonteksError("wrong-option", `${why} Leave --batch out to call the model directly.`, {
    facts: { model: modelId },
  });
}

async function finishOpen(work: Work): Promise<void> {
  const { contextStore, modelId, recipe } = work.settings;
  for (const stored of contextStore.batches?.() ?? []) {
    if (stored.modelId !== modelId || stored.recipe !== recipe.id) continue;
    work.progress.items += stored.items.length;
    await finish(work, stored);
  }
}

/** False when there was nothing left to ask, or nothing may be asked any more. */
async function runRound(work: Work, round: number): Promise<boolean> {
  const started: StoredBatch[] = [];
  const piles = createPiles<Item>(work.settings.facts.batch ?? { requests: 0, bytes: 0 });
  for (const prepared of work.batch.documents) {
    for (const item of itemsOf(work, prepared)) {
      const full = piles.add(item, JSON.stringify(item.request).length);
      if (full) started.push(...(await start(work, full)));
    }
  }
  const rest = piles.rest();
  if (rest.length > 0) started.push(...(await start(work, rest)));
  for (const stored of started) await finish(work, stored);
  return started.length > 0 && round + 1 < ROUNDS;
}

function itemsOf(work: Work, { document, chunks }: PreparedDocument): readonly Item[] {
  const { settings } = work;
  const { targets } = lookUp(settings, document, chunks, work.run);
  if (targets.length === 0) return [];
  const noted = targets.flatMap((target) => {
    const notes = work.notes.get(noteKey(target)) ?? [];
    return notes.length < ASKS ? [{ ...target, note: notes.at(-1) }] : [];
  });
  if (noted.length === 0) return [];
  const plan = planDocument(document, chunks, noted, { ...settings.planning, batch: true });
  return plan.parts.flatMap((part) =>
    part.calls.map((call): Item => itemOf(settings, document, plan.policy === "windowed", part, call)),
  );
}

function itemOf(
  settings: Settings,
  document: Document,
  windowed: boolean,
  part: Part,
  targets: readonly Target[],
): Item {
  const prompt = promptOf(part, targets, settings.recipe);
  const limit = replyLimit(settings, document.language, targets.length);
  return {
    highest: highestCost(settings, part, prompt, limit) / 2,
    stored: {
      id: "",
      documentId: document.id,
      documentHash: documentHash(document),
      chunkHashes: targets.map(({ key }) => key.chunkHash),
      ...(part.grouped && { numbers: targets.map(({ chunk }) => numberOf(chunk)) }),
      policy: windowed ? "windowed" : part.grouped ? "grouped" : "single",
    },
    request: {
      id: "",
      modelId: settings.modelId,
      model: settings.modelId.slice(settings.modelId.indexOf(":") + 1),
      ...partsOfPrompt(settings, part, prompt),
      maxOutputTokens: limit,
      // Requests of a batch take no output schema (AI SDK, "Batch"), but a tool that must be called.
      tool: part.grouped ? GROUP_TOOL : undefined,
    },
  };
}

/** Writes down what is about to be started, then starts it. */
async function start(work: Work, items: readonly Item[]): Promise<readonly StoredBatch[]> {
  const { settings, run, batch, place } = work;
  if (batch.signal?.aborted) throw abortedError(batch.signal);
  const highest = items.reduce((sum, item) => sum + item.highest, 0);
  run.stopped ??= unlimited(settings, run);
  if (run.stopped !== undefined) return [];
  if (!(await run.budget.reserve(highest))) {
    run.stopped = `The highest cost of $${run.budget.maxCost} leaves no room for a batch of ${items.length} requests.`;
    return [];
  }
  const id = `k${randomBytes(9).toString("hex")}`;
  const named = items.map((item, index) => ({ ...item, id: `${id}-${index}` }));
  const intent: StoredBatch = {
    id,
    modelId: settings.modelId,
    recipe: settings.recipe.id,
    createdAt: new Date().toISOString(),
    items: named.map(({ id, stored }) => ({ ...stored, id })),
  };
  settings.contextStore.putBatch?.(intent);
  const requests = named.map(({ id, request }) => ({ ...request, id }));
  const { provider, modelId } = place;
  const state = await startBatch({ provider, modelId, requests }).catch((error: unknown) => {
    // Refused before anything began: there is nothing to look for.
    if (isRefused(error)) settings.contextStore.deleteBatch?.(id);
    throw error;
  });
  const stored = { ...intent, reference: state.reference };
  settings.contextStore.putBatch?.(stored);
  work.reserved.set(id, highest);
  work.progress.items += items.length;
  tell(work);
  return [stored];
}

function isRefused(error: unknown): boolean {
  if (!(error instanceof KonteksError)) return false;
  const { status } = error.facts;
  return isFatalForModel(error) || (typeof status === "number" && status >= 400 && status < 500);
}

/** Waits for a batch, keeps what it brought, and forgets it. */
async function finish(work: Work, stored: StoredBatch): Promise<void> {
  const { contextStore } = work.settings;
  const state = await waitForEnd(work.place, stored, contextStore);
  if (state !== undefined) {
    const items = new Map(stored.items.map((item) => [item.id, item]));
    const { provider, modelId } = work.place;
    for await (const result of batchResults({ provider, modelId, reference: state.reference })) {
      const item = items.get(result.id);
      if (item === undefined) continue;
      items.delete(result.id);
      take(work, item, result);
    }
  }
  contextStore.deleteBatch?.(stored.id);
  work.run.budget.settle(work.reserved.get(stored.id) ?? 0, 0);
  work.progress.done += stored.items.length;
  tell(work);
}

function tell({ batch, progress }: Work): void {
  batch.onProgress?.({ ...progress });
}

function take(work: Work, item: StoredBatchItem, result: BatchItem): void {
  if (result.status !== "succeeded") return;
  const { settings, tally, run } = work;
  const cost = tally.used(result.reply.usage, { lifetime: "1h", batch: true });
  run.budget.settle(0, cost);
  run.onSpending?.({ usage: result.reply.usage, cost: settings.price && cost });
  const targets = targetsOf(work, item);
  const document = documentOf(work, item);
  const limit = replyLimit(settings, document?.language, 1);
  const grouped = item.numbers !== undefined;
  const judged = judge(result.reply, { grouped }, targets, document, limit);
  if (judged === undefined) {
    tally.fault("form");
    return;
  }
  const good = judged.flatMap((one) => ("text" in one ? [one] : []));
  keep(
    settings.contextStore,
    good.map(({ target, text }) => ({
      ...target.key,
      text,
      model: settings.modelId,
      documentHash: item.documentHash,
      createdAt: new Date().toISOString(),
      policy: item.policy,
    })),
  );
  if (item.policy !== "imported") tally.wrote(item.policy, good.length);
  for (const one of judged) {
    if (!("fault" in one)) continue;
    tally.fault(one.fault.kind);
    const key = noteKey(one.target);
    work.notes.set(key, [...(work.notes.get(key) ?? []), one.fault.reason]);
  }
}

function documentOf({ documents }: Work, { documentId, documentHash: hash }: StoredBatchItem) {
  const document = documents.get(documentId)?.document;
  return document !== undefined && documentHash(document) === hash ? document : undefined;
}

/** The chunks an item was about; of a document that is not at hand, without their text. */
function targetsOf(work: Work, item: StoredBatchItem): readonly Target[] {
  return item.chunkHashes.map((chunkHash, index) => {
    const ordinal = (item.numbers?.[index] ?? 1) - 1;
    const { documentId } = item;
    const key = { documentId, chunkHash, recipe: work.settings.recipe.id };
    const known = documentOf(work, item) && chunkOf(work, key);
    const chunk = { ...(known ?? unknownChunk(documentId)), ordinal };
    return { chunk, key, index };
  });
}

function chunkOf({ documents, chunks, settings }: Work, key: Target["key"]): Chunk | undefined {
  const prepared = documents.get(key.documentId);
  if (prepared === undefined) return undefined;
  const byHash = chunks.get(key.documentId) ?? chunksByHash(prepared, settings.recipe.id);
  chunks.set(key.documentId, byHash);
  return byHash.get(key.chunkHash);
}

function chunksByHash({ document, chunks }: PreparedDocument, recipe: string): ReadonlyMap<string, Chunk> {
  const keys = keysOf(document.id, chunks, recipe);
  return new Map(chunks.flatMap((chunk, index) => [[keys[index]?.chunkHash ?? "", chunk] as const]));
}

function unknownChunk(documentId: string): Chunk {
  return {
    id: "",
    documentId,
    ordinal: 0,
    text: "",
    headings: [],
    lines: [1, 1],
    tokens: 0,
    start: 0,
    end: 0,
  };
}

function noteKey({ key }: Pick<Target, "key">): string {
  return `${key.documentId}\n${key.chunkHash}`;
}
