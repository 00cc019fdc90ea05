import { randomBytes } from "node:crypto";
import { startBatch } from "../../llm/ai.ts";
import { abortedError, isFatalForModel } from "../../llm/errors.ts";
import { isKonteksError, type StoredBatch } from "../../spec/index.ts";
import type { Item } from "./batch-items.ts";
import { type BatchWork, tellProgress } from "./batch-work.ts";

/** Writes down what is about to be started, then starts it. Its highest cost is reserved already. */
export async function startItems(work: BatchWork, items: readonly Item[]): Promise<StoredBatch> {
  const { run, batch } = work;
  const highest = items.reduce((sum, item) => sum + item.highest, 0);
  try {
    if (batch.signal?.aborted) throw abortedError(batch.signal);
    const stored = await send(work, items);
    work.reserved.set(stored.id, highest);
    work.progress.items += items.length;
    tellProgress(work);
    return stored;
  } catch (error) {
    run.budget.settle(highest, 0);
    throw error;
  }
}

async function send({ settings, place }: BatchWork, items: readonly Item[]): Promise<StoredBatch> {
  const { provider, modelId } = await place();
  const id = `k${randomBytes(9).toString("hex")}`;
  const intent: StoredBatch = {
    id,
    modelId,
    recipe: settings.recipe.id,
    createdAt: new Date().toISOString(),
    items: items.map(({ stored }, index) => ({ ...stored, id: `${id}-${index}` })),
  };
  settings.contextStore.putBatch?.(intent);
  const requests = items.map(({ request }, index) => ({ ...request, id: `${id}-${index}` }));
  const state = await startBatch({ provider, modelId, requests }).catch((error: unknown) => {
    // Refused before anything began: there is nothing to look for.
    if (isRefused(error)) settings.contextStore.deleteBatch?.(id);
    throw error;
  });
  const stored = { ...intent, reference: state.reference };
  settings.contextStore.putBatch?.(stored);
  return stored;
}

function isRefused(error: unknown): boolean {
  if (!isKonteksError(error)) return false;
  const { status } = error.facts;
  return isFatalForModel(error) || (typeof status === "number" && status >= 400 && status < 500);
}
