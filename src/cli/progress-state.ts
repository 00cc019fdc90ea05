import type { ContextEstimate, ProgressEvent } from "../spec/index.ts";

/** How far an ingest is: what a line of progress says, and what `--json` writes. */
export interface ProgressState {
  readonly documents: { readonly done: number; readonly of: number };
  /** Contexts that this run wrote, and is to write; left out when no model writes any. */
  readonly contexts?: { readonly done: number; readonly of: number };
  /** Requests in batches at the provider, and how many of them have ended. */
  readonly batch?: { readonly done: number; readonly of: number };
  /** Chunks that wait for vectors, and how many have theirs by now; left out before the first is made. */
  readonly vectors?: { readonly done: number; readonly of: number };
  /** US dollars so far, and as estimated before; left out without a price. */
  readonly cost?: number;
  readonly estimatedCost?: number;
  readonly contextsPerSecond?: number;
  readonly vectorsPerSecond?: number;
  readonly secondsLeft?: number;
  /** What was worked on last: a document, with its own chunks where contexts are written. */
  readonly at?: { readonly document: string; readonly done?: number; readonly of?: number };
}

/** Adds events up; `now` in milliseconds. */
export function createProgressState(
  estimate: ContextEstimate | undefined,
  now: () => number = Date.now,
): (event: ProgressEvent) => ProgressState {
  const begun = now();
  const reused = new Map(estimate?.byDocument.map(({ id, chunks, missing }) => [id, chunks - missing]));
  const written = new Map<string, number>();
  let embedding: number | undefined;
  let state: ProgressState = { documents: { done: 0, of: 0 } };
  return (event) => {
    if (event.type === "context")
      written.set(event.documentId, Math.max(0, event.done - (reused.get(event.documentId) ?? 0)));
    if (event.type === "embed") {
      // Documents are through: what contexts took, and the last document, say nothing more.
      const { contextsPerSecond: _, secondsLeft: __, at: ___, ...rest } = state;
      embedding ??= now();
      state = { ...rest, ...vectorPace(event, (now() - embedding) / 1_000) };
      return state;
    }
    const done = [...written.values()].reduce((sum, one) => sum + one, 0);
    state = { ...state, ...told(event), ...pace(estimate, done, (now() - begun) / 1_000) };
    return state;
  };
}

function told(event: ProgressEvent): Partial<ProgressState> {
  const cost = "cost" in event && event.cost !== undefined ? { cost: event.cost } : {};
  switch (event.type) {
    case "start":
      return { documents: { done: 0, of: event.documents } };
    case "document":
      return { documents: { done: event.done, of: event.documents }, at: { document: event.id } };
    case "context":
      return { ...cost, at: { document: event.documentId, done: event.done, of: event.chunks } };
    case "batch":
      return { ...cost, batch: { done: event.done, of: event.items } };
    default:
      return {};
  }
}

function pace(estimate: ContextEstimate | undefined, done: number, seconds: number): Partial<ProgressState> {
  if (estimate === undefined || estimate.missing === 0) return {};
  const { missing, cost } = estimate;
  const known = { contexts: { done, of: missing }, ...(cost !== undefined && { estimatedCost: cost }) };
  if (done === 0) return known;
  const contextsPerSecond = done / Math.max(1, seconds);
  const secondsLeft = Math.max(0, missing - done) / contextsPerSecond;
  return { ...known, contextsPerSecond, secondsLeft };
}

function vectorPace(
  { done, chunks }: Extract<ProgressEvent, { type: "embed" }>,
  seconds: number,
): Partial<ProgressState> {
  const vectors = { done, of: chunks };
  if (done === 0) return { vectors };
  const vectorsPerSecond = done / Math.max(1, seconds);
  return { vectors, vectorsPerSecond, secondsLeft: (chunks - done) / vectorsPerSecond };
}
