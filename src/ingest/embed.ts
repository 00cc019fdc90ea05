import pLimit from "p-limit";
import type { ContextStore, Embedder, Usage } from "../spec/index.ts";
import { sha256 } from "../util/hash.ts";
import { type Embedded, embedBatch } from "./embed-batch.ts";
import { windowsOf } from "./embed-windows.ts";

/** A text's vectors, one for each of its windows, or why it has none. */
export type EmbedResult = { readonly vectors: readonly Float32Array[] } | { readonly error: string };

export interface EmbedTextsOptions {
  readonly embedder: Embedder;
  /** Where vectors are kept, if the embedder's are to be. */
  readonly contextStore?: Pick<ContextStore, "getVector" | "putVectors"> | undefined;
  readonly signal?: AbortSignal | undefined;
  /** Batches under way at the same time. Default 4. */
  readonly concurrency?: number | undefined;
  /** Told what each call used. */
  readonly onUsage?: ((usage: Usage) => void) | undefined;
}

const defaultMaxBatch = 96;
const defaultConcurrency = 4;
/** OpenAI takes at most 300,000 tokens at once and its SDK counts a byte as one; a batch stays below. */
const maxBatchBytes = 250_000;

/**
 * Embeds texts; n texts give n results, in order. A text that is blank or that the model refuses fails alone. The same
 * text is never embedded twice, in this call, in others under way, or (for an embedder that is `cached`) ever. Each
 * batch's vectors are on disk when the batch returns. Errors: "aborted"; "no-key", "unknown-model" and "wrong-option"
 * when nothing can be embedded at all.
 */
export async function embedTexts(
  texts: readonly string[],
  options: EmbedTextsOptions,
): Promise<readonly EmbedResult[]> {
  const windows = texts.map((text) =>
    text.trim() === "" ? [] : windowsOf(text, options.embedder.maxTokens),
  );
  const pieces = [...new Set(windows.flat())];
  const embedded = await embedPieces(pieces, options);
  return windows.map((own, index) =>
    own.length === 0 ? blank(index, texts.length) : resultOf(own, embedded),
  );
}

/** What is kept of texts, without making anything: their windows, or undefined where one is missing. */
export function keptVectors(
  texts: readonly string[],
  options: Pick<EmbedTextsOptions, "embedder" | "contextStore">,
): readonly (readonly Float32Array[] | undefined)[] {
  const windows = texts.map((text) => windowsOf(text, options.embedder.maxTokens));
  const kept = new Map(storedVectors([...new Set(windows.flat())], options));
  return windows.map((own) => {
    const vectors = own.flatMap((window) => kept.get(window) ?? []);
    return own.length > 0 && vectors.length === own.length ? vectors : undefined;
  });
}

function blank(index: number, count: number): EmbedResult {
  return { error: `Text ${index + 1} of ${count} is blank: there is nothing to embed.` };
}

function resultOf(windows: readonly string[], embedded: ReadonlyMap<string, Embedded>): EmbedResult {
  const vectors: Float32Array[] = [];
  for (const window of windows) {
    const one = embedded.get(window) ?? { error: "No vector came back." };
    if ("error" in one) return one;
    vectors.push(one);
  }
  return { vectors };
}

/** Looks up what is known, makes what is missing, and waits for what another call is making already. */
async function embedPieces(
  pieces: readonly string[],
  options: EmbedTextsOptions,
): Promise<ReadonlyMap<string, Embedded>> {
  const results = new Map<string, Embedded>(storedVectors(pieces, options));
  const missing = pieces.filter((piece) => !results.has(piece));
  const underWay = underWayOf(options.embedder);
  const others = missing.filter((piece) => underWay.has(piece));
  const own = missing.filter((piece) => !underWay.has(piece));
  const waits = others.map(async (piece) => [piece, await underWay.get(piece)] as const);
  for (const [piece, vector] of await makeVectors(own, underWay, options)) results.set(piece, vector);
  const unfinished: string[] = [];
  for (const [piece, vector] of await Promise.all(waits)) {
    if (vector === undefined) unfinished.push(piece);
    else results.set(piece, vector);
  }
  // The call that was making them was stopped.
  if (unfinished.length > 0)
    for (const [piece, vector] of await embedPieces(unfinished, options)) results.set(piece, vector);
  return results;
}

/** By text: what a call under way will make of it; undefined when it was stopped before. */
type UnderWay = Map<string, Promise<Embedded | undefined>>;

const underWayByEmbedder = new WeakMap<Embedder, UnderWay>();

function underWayOf(embedder: Embedder): UnderWay {
  const known = underWayByEmbedder.get(embedder) ?? new Map();
  underWayByEmbedder.set(embedder, known);
  return known;
}

async function makeVectors(
  pieces: readonly string[],
  underWay: UnderWay,
  options: EmbedTextsOptions,
): Promise<ReadonlyMap<string, Embedded>> {
  const promises = new Map(pieces.map((piece) => [piece, Promise.withResolvers<Embedded | undefined>()]));
  for (const [piece, { promise }] of promises) underWay.set(piece, promise);
  const results = new Map<string, Embedded>();
  const batches = batchesOf(pieces, options.embedder.maxBatch ?? defaultMaxBatch);
  const keep = (texts: readonly string[], made: readonly Embedded[]) => store(texts, made, options);
  try {
    await eachUntilError(batches, options.concurrency ?? defaultConcurrency, async (batch) => {
      const vectors = await embedBatch(batch, { ...options, keep });
      batch.forEach((piece, index) => {
        results.set(piece, vectors[index] ?? { error: "No vector came back." });
      });
    });
    return results;
  } finally {
    for (const [piece, { resolve }] of promises) {
      underWay.delete(piece);
      resolve(results.get(piece));
    }
  }
}

/** Runs so many at a time; after an error none is begun. */
async function eachUntilError<T>(
  items: readonly T[],
  concurrency: number,
  run: (item: T) => Promise<void>,
): Promise<void> {
  let failure: { readonly error: unknown } | undefined;
  await pLimit(concurrency).map(items, async (item) => {
    if (failure) throw failure.error;
    await run(item).catch((error: unknown) => {
      failure = { error };
      throw error;
    });
  });
}

function batchesOf(pieces: readonly string[], maxBatch: number): readonly (readonly string[])[] {
  const batches: string[][] = [];
  let bytes = 0;
  for (const piece of pieces) {
    const size = Buffer.byteLength(piece);
    const last = batches.at(-1);
    if (last === undefined || last.length >= maxBatch || bytes + size > maxBatchBytes) {
      batches.push([piece]);
      bytes = size;
    } else {
      last.push(piece);
      bytes += size;
    }
  }
  return batches;
}

function* storedVectors(
  pieces: readonly string[],
  { embedder, contextStore }: Pick<EmbedTextsOptions, "embedder" | "contextStore">,
): Generator<[string, Float32Array]> {
  if (contextStore === undefined || !isCached(embedder)) return;
  for (const piece of pieces) {
    const vector = contextStore.getVector({ model: embedder.id, textHash: sha256(piece) });
    if (vector !== undefined) yield [piece, vector];
  }
}

function store(texts: readonly string[], made: readonly Embedded[], options: EmbedTextsOptions): void {
  const { embedder, contextStore } = options;
  if (contextStore === undefined || !isCached(embedder)) return;
  const entries = texts.flatMap((text, index) => {
    const vector = made[index];
    return vector instanceof Float32Array
      ? [{ key: { model: embedder.id, textHash: sha256(text) }, vector }]
      : [];
  });
  if (entries.length > 0) contextStore.putVectors(entries, { limit: embedder.cacheLimit });
}

function isCached(embedder: Embedder): boolean {
  return embedder.cached ?? embedder.kind !== "lexical";
}
