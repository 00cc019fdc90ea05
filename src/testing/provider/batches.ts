import type { Json } from "./json.ts";
import type { SimulatedApi, SimulatedOutcome } from "./types.ts";

/** A request of a batch, and how it ended. */
export interface SimulatedItem {
  readonly customId: string;
  readonly body: Json;
  outcome?: SimulatedOutcome;
  /** The response, as the endpoint would have given it; for a failed one the error. */
  result?: unknown;
}

export interface SimulatedBatch {
  readonly id: string;
  readonly api: SimulatedApi;
  readonly createdAt: number;
  readonly endsAt: number;
  readonly items: readonly SimulatedItem[];
  /** Refused as a whole while it was looked through. */
  readonly refused?: string | undefined;
  cancelled: boolean;
  done: boolean;
}

/** Batches and uploaded files, in the order in which they came. */
export interface BatchStore {
  readonly batches: SimulatedBatch[];
  readonly files: Map<string, string>;
  nextId(kind: string): string;
}

export function createBatchStore(): BatchStore {
  let count = 0;
  return {
    batches: [],
    files: new Map(),
    nextId(kind) {
      count += 1;
      return `${kind}_sim${String(count).padStart(6, "0")}`;
    },
  };
}

/** One page of a list, newest first ("List Message Batches", "List batch"). */
export function pageOf(
  batches: readonly SimulatedBatch[],
  query: URLSearchParams,
  after: string,
): { readonly page: readonly SimulatedBatch[]; readonly more: boolean } {
  const newest = batches.toReversed();
  const from = newest.findIndex(({ id }) => id === query.get(after)) + 1;
  const limit = Number(query.get("limit") ?? 20);
  return { page: newest.slice(from, from + limit), more: newest.length > from + limit };
}
