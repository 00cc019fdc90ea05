import { type BatchState, batchResults, batchStatus, listBatches } from "../../llm/ai.ts";
import type { Clock } from "../../llm/clock.ts";
import { abortedError } from "../../llm/errors.ts";
import type { StoredBatch } from "../../spec/index.ts";
import type { ContextKeeper } from "./settings.ts";

/** Where batches run. */
export interface BatchPlace {
  readonly provider: object;
  readonly modelId: string;
  readonly signal: AbortSignal | undefined;
  readonly clock: Clock;
  readonly pollMs?: number | undefined;
  readonly settleMs?: number | undefined;
}

const longestPollMs = 60_000;
/** Clocks differ. */
const clockSkewMs = 60 * 60_000;

/** The batch when it has ended; undefined when it was never started. Errors: "aborted"; the batch goes on without us. */
export async function waitForEnd(
  place: BatchPlace,
  stored: StoredBatch,
  store: ContextKeeper,
): Promise<BatchState | undefined> {
  if (stored.reference !== undefined) return poll(place, stored.reference);
  const found = await findAgain(place, stored, referencesOf(store, stored.id));
  if (found !== undefined) store.putBatch?.({ ...stored, reference: found.reference });
  return found;
}

function referencesOf(store: ContextKeeper, except: string): ReadonlySet<string> {
  const others = (store.batches?.() ?? []).filter(({ id }) => id !== except);
  return new Set(others.flatMap(({ reference }) => reference ?? []));
}

async function poll(place: BatchPlace, reference: string): Promise<BatchState> {
  const { provider, modelId, signal, clock } = place;
  let wait = place.pollMs ?? 5_000;
  for (;;) {
    const state = await batchStatus({ provider, modelId, reference, signal });
    if (state.status !== "pending") return state;
    await clock.sleep(wait, signal).catch(() => {});
    if (signal?.aborted) throw abortedError(signal);
    wait = Math.min(longestPollMs, wait * 1.3);
  }
}

/**
 * A batch that was meant to be started, and of which no answer is on disk: it is at the provider or it is not. Providers
 * list batches without the ids of their requests, which only the results have; so each batch that may be it is waited
 * for and looked into. A listing may lag behind, and so may a request that was under way when we were killed: only an
 * intent of some age counts as never started.
 */
async function findAgain(
  place: BatchPlace,
  stored: StoredBatch,
  others: ReadonlySet<string>,
): Promise<BatchState | undefined> {
  const { provider, modelId, signal, clock, settleMs = 15_000 } = place;
  const created = Date.parse(stored.createdAt);
  await clock.sleep(Math.max(0, created + settleMs - clock.now()), signal);
  for await (const listed of listBatches({ provider, modelId, signal })) {
    if (listed.createdAt !== undefined && Date.parse(listed.createdAt) < created - clockSkewMs) break;
    if (others.has(listed.reference) || !mayBe(listed, stored)) continue;
    const ended = await poll(place, listed.reference);
    if (await holds(place, ended, stored.id)) return ended;
  }
  return undefined;
}

/** The number of requests is 0 while a provider has not counted them. */
function mayBe({ items }: BatchState, stored: StoredBatch): boolean {
  return items === undefined || items === 0 || items === stored.items.length;
}

async function holds({ provider, modelId }: BatchPlace, state: BatchState, id: string): Promise<boolean> {
  let found = false;
  try {
    // To the end: results that are not read to their end count as broken off.
    for await (const item of batchResults({ provider, modelId, reference: state.reference }))
      found ||= item.id.startsWith(`${id}-`);
  } catch (error) {
    // A batch that failed as a whole has no results to look into, and brought nothing.
    if (state.status !== "failed") throw error;
  }
  return found;
}
