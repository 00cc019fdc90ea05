/** Anthropic's Message Batches API ("Create a Message Batch", "Retrieve Message Batch results"). */
import type { SimulatedBatch, SimulatedItem } from "./batches.ts";
import { asList, asObject, asText, type Json } from "./json.ts";
import type { Simulation } from "./state.ts";
import type { ProviderError } from "./types.ts";

const mostRequests = 100_000;
const mostBytes = 256_000_000;
const lifetimeMs = 24 * 60 * 60_000;

export function readAnthropicBatch(body: Json, bytes: number): SimulatedItem[] | ProviderError {
  const requests = asList(body.requests).map(asObject);
  if (requests.length === 0) return { status: 400, message: "requests: at least one request is required" };
  if (requests.length > mostRequests)
    return { status: 400, message: `requests: at most ${mostRequests} requests` };
  if (bytes > mostBytes) return { status: 413, message: "Request exceeds the maximum size" };
  const ids = requests.map((request) => asText(request.custom_id) ?? "");
  const odd = ids.findIndex((id) => !/^[a-zA-Z0-9_-]{1,64}$/.test(id));
  if (odd >= 0)
    return {
      status: 400,
      message: `requests.${odd}.custom_id: String should match pattern '^[a-zA-Z0-9_-]{1,64}$'`,
    };
  if (new Set(ids).size < ids.length)
    return { status: 400, message: "requests: custom_id must be unique for each request" };
  return requests.map(({ params }, index) => ({ customId: ids[index] ?? "", body: asObject(params) }));
}

export function anthropicBatchBody(
  batch: SimulatedBatch,
  { options: { batchMs } }: Simulation,
  base: string,
): Json {
  const count = (outcome: SimulatedItem["outcome"]) =>
    batch.items.filter((item) => item.outcome === outcome).length;
  return {
    id: batch.id,
    type: "message_batch",
    processing_status: batch.done ? "ended" : batch.cancelled ? "canceling" : "in_progress",
    request_counts: {
      processing: batch.done ? 0 : batch.items.length,
      succeeded: count("succeeded"),
      errored: count("failed"),
      canceled: count("cancelled"),
      expired: count("expired"),
    },
    created_at: new Date(batch.createdAt).toISOString(),
    expires_at: new Date(batch.createdAt + lifetimeMs).toISOString(),
    ended_at: batch.done ? new Date(batch.createdAt + batchMs).toISOString() : null,
    archived_at: null,
    cancel_initiated_at: null,
    results_url: batch.done ? `${base}/messages/batches/${batch.id}/results` : null,
  };
}

/** JSON lines, "in any order": here the other way round. */
export function anthropicResults(batch: SimulatedBatch): string {
  return batch.items
    .toReversed()
    .map((item) => `${JSON.stringify({ custom_id: item.customId, result: resultOf(item) })}\n`)
    .join("");
}

function resultOf({ outcome, result }: SimulatedItem): Json {
  if (outcome === "succeeded") return { type: "succeeded", message: result };
  if (outcome === "expired") return { type: "expired" };
  if (outcome === "cancelled") return { type: "canceled" };
  const error = { type: "invalid_request_error", message: String(result) };
  return { type: "errored", error: { type: "error", error, request_id: null } };
}
