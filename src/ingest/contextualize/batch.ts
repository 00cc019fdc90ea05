import { batchResults } from "../../llm/ai.ts";
import { isKonteksError, type StoredBatch } from "../../spec/index.ts";
import { unlimited } from "./asking.ts";
import { type Item, itemsOf } from "./batch-items.ts";
import { createPiles } from "./batch-piles.ts";
import { startItems } from "./batch-start.ts";
import { takeResult } from "./batch-take.ts";
import { waitForEnd } from "./batch-wait.ts";
import { type BatchRun, type BatchWork, batchWork, openBatches, tellProgress } from "./batch-work.ts";
import type { ModelContexts } from "./contextualize.ts";
import { keepSeen } from "./expectation.ts";
import { documentHash } from "./recipe.ts";
import type { Settings } from "./settings.ts";

/** Requests that expired or failed are started again, so many times in all. */
const ROUNDS = 3;

/**
 * Contexts at half the price, through the provider's batches. What is meant to be started is on disk before it is; after
 * a crash the batch is looked for at the provider, by the ids of its requests, and never started a second time.
 */
export async function runBatches(settings: Settings, batch: BatchRun): Promise<ModelContexts> {
  const work = batchWork(settings, batch);
  await finishOpen(work);
  work.run.stopped ??= unlimited(settings, work.run);
  for (let round = 0; round < ROUNDS && batch.documents.length > 0; round++)
    if (!(await runRound(work))) break;
  const { tally } = work;
  keepSeen(settings.contextStore, settings.modelId, tally.seen);
  return { contexts: [], usage: tally.usage, report: tally.report(), warnings: [] };
}

async function finishOpen(work: BatchWork): Promise<void> {
  const open = openBatches(work.settings);
  if (open.length === 0 || !(await canReach(work))) return;
  for (const stored of open) {
    work.progress.items += stored.items.length;
    await finish(work, stored);
  }
}

/** Who pays for nothing need not have a key; what was begun is then fetched another time. */
async function canReach({ place, run }: BatchWork): Promise<boolean> {
  try {
    await place();
    return true;
  } catch (error) {
    if (run.budget.maxCost === 0 && isKonteksError(error, "no-key")) return false;
    throw error;
  }
}

/**
 * Starts what is missing, in batches as large as the provider takes and the highest cost allows, and waits for them. False
 * when there was nothing to ask, or nothing may be asked any more.
 */
async function runRound(work: BatchWork): Promise<boolean> {
  const piles = createPiles<Item>(work.settings.facts.batch ?? { requests: 0, bytes: 0 });
  const underWay: StoredBatch[] = [];
  const start = async (items: readonly Item[]) => {
    if (items.length > 0) underWay.push(await startItems(work, items));
  };
  const finishAll = async () => {
    for (const stored of underWay.splice(0)) await finish(work, stored);
  };
  let asked = false;
  for (const item of missing(work)) {
    if (!work.run.budget.reserveNow(item.highest)) {
      // Batches cost less than they may at most: once they have ended there is room again.
      await start(piles.take());
      await finishAll();
      if (!work.run.budget.reserveNow(item.highest)) {
        work.run.stopped ??= `The highest cost of $${work.run.budget.maxCost} leaves no room for another request.`;
        break;
      }
    }
    asked = true;
    await start(piles.add(item, JSON.stringify(item.request).length));
  }
  await start(piles.take());
  await finishAll();
  return asked && work.run.stopped === undefined;
}

/** What is to be asked for. A copy of a document is not: it gets the first one's contexts. */
function* missing(work: BatchWork): Generator<Item> {
  const texts = new Set<string>();
  for (const prepared of work.batch.documents) {
    if (work.run.stopped !== undefined) return;
    const text = documentHash(prepared.document);
    if (texts.has(text)) continue;
    texts.add(text);
    yield* itemsOf(work, prepared);
  }
}

/** Waits for a batch, keeps what it brought, and forgets it. */
async function finish(work: BatchWork, stored: StoredBatch): Promise<void> {
  const { contextStore, modelId } = work.settings;
  const place = await work.place();
  const state = await waitForEnd(place, stored, contextStore);
  if (state !== undefined) {
    const items = new Map(stored.items.map((item) => [item.id, item]));
    const { provider } = place;
    for await (const result of batchResults({ provider, modelId, reference: state.reference })) {
      const item = items.get(result.id);
      if (item === undefined) continue;
      items.delete(result.id);
      takeResult(work, item, result);
    }
  }
  contextStore.deleteBatch?.(stored.id);
  work.run.budget.settle(work.reserved.get(stored.id) ?? 0, 0);
  work.progress.done += stored.items.length;
  tellProgress(work);
}
