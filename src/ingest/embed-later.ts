import pLimit from "p-limit";
import { type Embedder, type EmbedOptions, NO_USAGE, type Store, type Usage } from "../spec/index.ts";
import { textForEmbedding } from "../text/index-text.ts";
import { addUsage } from "../util/usage.ts";
import { embedTexts } from "./embed.ts";
import { comeLater } from "./embed-chunks.ts";
import { createLateWrites, type LateWrites, type Portion } from "./late-writes.ts";
import type { DocumentParts, IngestRunOptions } from "./parts.ts";
import type { Embedded } from "./report.ts";

type Parts = Pick<DocumentParts, "store" | "contextStore" | "embedder" | "saveIdentity">;

/** Groups of chunks under way at the same time, each of about one call. */
const LANES = 4;
const DEFAULT_BATCH = 96;
interface Run {
  readonly parts: Parts & { readonly embedder: Embedder };
  readonly signal: AbortSignal | undefined;
  /** By chunk id. */
  readonly failures: Map<string, string>;
  readonly writes: LateWrites;
  /** Counts chunks that were tried. */
  tried(chunks: number): void;
  usage: Usage;
  /** Why no further group is begun. */
  stopped: string | undefined;
}

/**
 * Makes the vectors that documents wait for, of some documents or all. A document's are written together, those of a large
 * one in a few parts, and those that are there when the run is stopped; what is kept already is not made again. When a
 * whole group of texts fails, the model is taken to be out of reach, and the rest keeps waiting. Errors: those of
 * `embedTexts`.
 */
export async function embedLater(
  parts: Parts,
  ids: ReadonlySet<string> | undefined,
  { signal, onProgress }: Pick<IngestRunOptions, "signal" | "onProgress">,
): Promise<Embedded> {
  const { embedder, store } = parts;
  const nothing = { embedded: 0, incomplete: [], usage: NO_USAGE };
  // A list of all documents takes its time.
  if (!embedder || !comeLater(embedder) || (await store.pendingVectors([])).chunks === 0) return nothing;
  const waiting = (await store.listDocuments()).filter(
    ({ id, pending }) => pending > 0 && (ids === undefined || ids.has(id)),
  );
  const chunks = waiting.reduce((sum, { pending }) => sum + pending, 0);
  let done = 0;
  const tried = (more: number) => {
    done += more;
    onProgress?.({ type: "embed", chunks, done });
  };
  const run: Run = {
    parts: { ...parts, embedder },
    signal,
    failures: new Map(),
    writes: createLateWrites(store),
    tried,
    usage: NO_USAGE,
    stopped: undefined,
  };
  // What failed before comes last, so that it does not stand in the way of others.
  const names = waiting
    .toSorted((a, b) => Number(a.pendingReason !== undefined) - Number(b.pendingReason !== undefined))
    .map(({ id }) => id);
  if (names.length > 0) await embedAll(run, names);
  return { embedded: run.writes.embedded(), incomplete: await incompleteOf(run, names), usage: run.usage };
}

async function embedAll(run: Run, ids: readonly string[]): Promise<void> {
  const { store, embedder } = run.parts;
  run.tried(0);
  await embedder.ready?.();
  const groups = groupsOf(store, ids, embedder.maxBatch ?? DEFAULT_BATCH);
  let failure: { readonly error: unknown } | undefined;
  const lane = async () => {
    for (let next = await groups.next(); !next.done; next = await groups.next()) {
      if (failure || run.stopped !== undefined) return;
      await embedGroup(run, next.value);
    }
  };
  // Other lanes end their groups first, so that nothing writes after the lock is given back.
  const guarded = () =>
    lane().catch((error: unknown) => {
      failure ??= { error };
    });
  await Promise.all(Array.from({ length: LANES }, guarded));
  // What is there is kept, also when the run was stopped.
  await run.writes.finish().catch((error: unknown) => {
    failure ??= { error };
  });
  if (failure) throw failure.error;
}

/** What waits, in the order of the documents, at most so many chunks at a time. */
async function* groupsOf(store: Store, ids: readonly string[], most: number): AsyncGenerator<Portion[]> {
  let group: Portion[] = [];
  let size = 0;
  for (const id of ids) {
    const record = await store.getDocument(id);
    const chunks = record?.pending?.chunks ?? [];
    for (let from = 0; from < chunks.length; from += most) {
      const ordinals = chunks.slice(from, from + most);
      if (size > 0 && size + ordinals.length > most) {
        yield group;
        group = [];
        size = 0;
      }
      group.push({ documentId: id, indexedAt: record?.indexedAt ?? "", ordinals, of: chunks.length });
      size += ordinals.length;
    }
  }
  if (size > 0) yield group;
}

async function embedGroup(run: Run, group: readonly Portion[]): Promise<void> {
  const { parts, signal } = run;
  const stored = await parts.store.getChunks(group.flatMap(idsOf));
  const onUsage: EmbedOptions["onUsage"] = (used) => {
    run.usage = addUsage(run.usage, used);
  };
  const results = await embedTexts(stored.map(textForEmbedding), {
    embedder: parts.embedder,
    contextStore: parts.contextStore,
    signal,
    concurrency: 1,
    onUsage,
  });
  const byId = new Map(stored.map(({ chunk }, i) => [chunk.id, results[i]]));
  const dimensions = results.flatMap((result) => ("vectors" in result ? result.vectors : []))[0]?.length;
  if (dimensions !== undefined) await parts.saveIdentity(dimensions);
  for (const [id, result] of byId) if (result && "error" in result) run.failures.set(id, result.error);
  await Promise.all(group.map((portion) => run.writes.add(portion, byId)));
  run.tried(group.reduce((sum, { ordinals }) => sum + ordinals.length, 0));
  const [first] = results;
  if (dimensions === undefined && first && "error" in first) run.stopped = first.error;
}

function idsOf({ documentId, ordinals }: Portion): readonly string[] {
  return ordinals.map((ordinal) => `${documentId}#${ordinal}`);
}

/** Chunks that still have no vectors, and why. */
async function incompleteOf(
  { parts, failures, stopped }: Run,
  ids: readonly string[],
): Promise<Embedded["incomplete"]> {
  if (failures.size === 0) return [];
  const limit = pLimit(8);
  const records = await limit.map(ids, (id) => parts.store.getDocument(id));
  return records.flatMap((record) =>
    (record?.pending?.chunks ?? []).map((ordinal) => {
      const chunkId = `${record?.document.id}#${ordinal}`;
      return { chunkId, reason: `embedding: ${failures.get(chunkId) ?? stopped}` };
    }),
  );
}
