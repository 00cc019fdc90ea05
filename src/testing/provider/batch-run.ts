import { sha256 } from "../../util/hash.ts";
import type { SimulatedBatch, SimulatedItem } from "./batches.ts";
import { minimumCacheable } from "./prompt-cache.ts";
import { decideReply } from "./replies.ts";
import {
  begin,
  cachesAtBreakpoints,
  callOf,
  openEntry,
  replyOf,
  type Simulation,
  tokensOfReply,
} from "./state.ts";
import { isProviderError, type OpenEntry, type ReadRequest, type TextProtocol } from "./types.ts";

/**
 * Lets a batch end when its time has come. Requests are answered in any order, all at once: nothing warms a cache for
 * the others, and what is read from it is luck (Anthropic, "Batch processing": cache hits on a best-effort basis).
 */
export async function endIfDue(
  simulation: Simulation,
  batch: SimulatedBatch,
  path: string,
  protocol: TextProtocol,
): Promise<void> {
  if (batch.done || (simulation.options.now() < batch.endsAt && !batch.cancelled)) return;
  batch.done = true;
  for (const item of batch.items) await endItem(simulation, batch, item, path, protocol);
}

async function endItem(
  simulation: Simulation,
  batch: SimulatedBatch,
  item: SimulatedItem,
  path: string,
  protocol: TextProtocol,
): Promise<void> {
  const entry = openEntry(simulation, { provider: batch.api, path }, item.body);
  Object.assign(entry, { batch: batch.id, startedAt: batch.createdAt, endedAt: simulation.options.now() });
  const read = protocol.read(item.body);
  if (isProviderError(read)) {
    entry.status = read.status;
    item.outcome = "failed";
    item.result = read.message;
    return;
  }
  const call = callOf(entry, read, false);
  item.outcome = batch.cancelled ? "cancelled" : (simulation.outcome?.(call) ?? "succeeded");
  if (item.outcome !== "succeeded") {
    item.result = `The simulated request ${item.outcome}.`;
    return;
  }
  const decided = await decideReply(call, simulation.script, simulation.counter);
  const plan = luckyCache(simulation, batch, entry, read);
  const reply = replyOf(simulation, entry, read, decided, tokensOfReply(simulation, read, plan, decided));
  begin(simulation, entry, reply.tokens, read.blocks);
  item.result = protocol.write(reply);
}

const smallestAutomatic = 1_024;
const automaticStep = 128;
const written = new WeakMap<SimulatedBatch, Map<string, number>>();

/** The first request with a front writes it; of the others the given share reads it, evenly spread. */
function luckyCache(
  simulation: Simulation,
  batch: SimulatedBatch,
  { provider, model }: OpenEntry,
  { blocks }: ReadRequest,
): { readonly read: number; readonly write: number } {
  const marked = cachesAtBreakpoints(provider, model);
  const last = marked ? blocks.findLastIndex(({ cache }) => cache !== undefined) : blocks.length - 2;
  const front = blocks.slice(0, last + 1);
  const tokens = front.reduce((sum, { text }) => sum + simulation.counter.count(text), 0);
  const least = provider === "anthropic" ? minimumCacheable(model) : smallestAutomatic;
  if (last < 0 || tokens < least) return { read: 0, write: 0 };
  const seen = written.get(batch) ?? new Map<string, number>();
  written.set(batch, seen);
  const key = sha256(front.map(({ text }) => text).join("\n"));
  const times = seen.get(key) ?? 0;
  seen.set(key, times + 1);
  const rate = simulation.options.batchHitRate;
  const hit = times > 0 && Math.floor(times * rate + 1e-9) > Math.floor((times - 1) * rate + 1e-9);
  if (!marked) return { read: hit ? Math.floor(tokens / automaticStep) * automaticStep : 0, write: 0 };
  return hit ? { read: tokens, write: 0 } : { read: 0, write: tokens };
}
