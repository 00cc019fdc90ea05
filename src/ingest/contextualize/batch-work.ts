import { systemClock } from "../../llm/clock.ts";
import { type Chunk, type Document, KonteksError, type StoredBatch } from "../../spec/index.ts";
import type { BatchPlace } from "./batch-wait.ts";
import type { ContextRun } from "./contextualize.ts";
import { freeRun, type Settings } from "./settings.ts";
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

/** Work on the batches of one run. */
export interface BatchWork {
  readonly settings: Settings;
  readonly batch: BatchRun;
  /** Where batches run; looked up when one is to be started or finished. Errors: "wrong-option", "no-key". */
  readonly place: () => Promise<BatchPlace>;
  readonly run: ContextRun;
  readonly tally: Tally;
  /** By document id. */
  readonly documents: ReadonlyMap<string, PreparedDocument>;
  /** By document id, as far as they were needed. */
  readonly chunks: Map<string, ReadonlyMap<string, Chunk>>;
  /** What was wrong with contexts that came, by document and chunk. */
  readonly notes: Map<string, readonly string[]>;
  /** Chunks whose group came back in a form that cannot be told apart: they are asked for one by one. */
  readonly alone: Set<string>;
  /** What the batches under way may cost at most, by id. US dollars. */
  readonly reserved: Map<string, number>;
  readonly progress: { items: number; done: number };
}

export function batchWork(settings: Settings, batch: BatchRun): BatchWork {
  let place: Promise<BatchPlace> | undefined;
  return {
    settings,
    batch,
    place: () => {
      place ??= placeOf(settings, batch.signal);
      return place;
    },
    run: batch.run ?? freeRun(),
    tally: createTally(settings.price),
    documents: new Map(batch.documents.map((one) => [one.document.id, one])),
    chunks: new Map(),
    notes: new Map(),
    alone: new Set(),
    reserved: new Map(),
    progress: { items: 0, done: 0 },
  };
}

/** Batches of this model and recipe that were begun and not finished. */
export function openBatches({ contextStore, modelId, recipe }: Settings): readonly StoredBatch[] {
  return (contextStore.batches?.() ?? []).filter(
    (one) => one.modelId === modelId && one.recipe === recipe.id,
  );
}

export function tellProgress({ batch, progress }: BatchWork): void {
  batch.onProgress?.({ ...progress });
}

/** Names a chunk's context among the notes. */
export function noteKey(documentId: string, chunkHash: string): string {
  return `${documentId}\n${chunkHash}`;
}

async function placeOf(settings: Settings, signal: AbortSignal | undefined): Promise<BatchPlace> {
  if (settings.facts.batch === undefined || settings.contextStore.putBatch === undefined)
    throw noBatches(settings);
  const provider = await settings.batchProvider?.();
  if (provider === undefined) throw noBatches(settings);
  const { modelId, pollMs, settleMs } = settings;
  return { provider, modelId, pollMs, settleMs, signal, clock: systemClock };
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
