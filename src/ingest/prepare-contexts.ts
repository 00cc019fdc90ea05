import { createBudget } from "../llm/budget.ts";
import type { PreparedDocument } from "./contextualize/batch-work.ts";
import type { ContextRun, ModelContexts } from "./contextualize/contextualize.ts";
import type { KnownDocument } from "./document.ts";
import type { IngestParts, IngestRunOptions } from "./parts.ts";
import type { PendingDocument } from "./pending.ts";
import { chunksOf } from "./prepare.ts";

/** The options with what the documents share in asking for contexts, and what batches brought before the first document. */
export interface PreparedRun {
  readonly options: IngestRunOptions;
  readonly batches?: ModelContexts;
}

/**
 * Batches come first: they need all documents at once. Those that an earlier run began are finished in any case, so that
 * nothing they are asked for is asked for a second time.
 */
export async function contextRunOf(
  parts: IngestParts,
  documents: readonly PendingDocument[],
  known: ReadonlyMap<string, KnownDocument>,
  options: IngestRunOptions,
): Promise<PreparedRun> {
  return withBatches(parts, options, () => readChanged(parts, documents, known, options));
}

export async function withBatches(
  parts: IngestParts,
  options: IngestRunOptions,
  read: () => Promise<readonly PreparedDocument[]>,
): Promise<PreparedRun> {
  const { modelContexts, contextStore } = parts;
  if (modelContexts === undefined) return { options };
  const contexts = modelContexts();
  const run = createRun(options, contexts.price !== undefined);
  const prepared = { options: { ...options, contextRun: run } };
  if (options.batch !== true && contextStore.batches().length === 0) return prepared;
  const { signal, onProgress } = options;
  const batches = await contexts.batches({
    documents: options.batch === true ? await read() : [],
    run,
    signal,
    onProgress: (progress) =>
      onProgress?.({ type: "batch", ...progress, ...(run.priced && { cost: run.budget.spent }) }),
  });
  if (options.batch === true) run.storedOnly = run.stopped ?? "The batch brought no context.";
  return { ...prepared, batches };
}

function createRun({ maxCost, contextRun }: IngestRunOptions, priced: boolean): ContextRun {
  if (contextRun) return contextRun;
  return { budget: createBudget(maxCost ?? Number.POSITIVE_INFINITY), priced, stopped: undefined };
}

/** Documents that will be indexed, as far as they can be read; what cannot be is told when its turn comes. */
export async function readChanged(
  parts: IngestParts,
  documents: readonly PendingDocument[],
  known: ReadonlyMap<string, KnownDocument>,
  { force, signal }: IngestRunOptions,
  onUnreadable: (id: string, error: unknown) => void = () => {},
): Promise<readonly PreparedDocument[]> {
  const prepared: PreparedDocument[] = [];
  for (const pending of documents) {
    signal?.throwIfAborted();
    try {
      const { contentHash, read } = await pending.open();
      const before = known.get(pending.id);
      if (before?.contentHash === contentHash && before.failures === 0 && force !== true) continue;
      if (bringsContexts(pending)) continue;
      const document = await read();
      prepared.push({ document, chunks: chunksOf(document, pending.input, parts.chunk) });
    } catch (error) {
      onUnreadable(pending.id, error);
    }
  }
  return prepared;
}

function bringsContexts({ input }: PendingDocument): boolean {
  const given = input?.chunks ?? [];
  return given.length > 0 && given.every(({ context }) => context !== undefined);
}
