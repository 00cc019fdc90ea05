import {
  type Chunk,
  type Context,
  type Document,
  type Embedder,
  NO_USAGE,
  type Usage,
} from "../spec/index.ts";
import { textForEmbedding } from "../text/index-text.ts";
import { addUsage } from "../util/usage.ts";
import { type EmbedTextsOptions, embedTexts, keptVectors } from "./embed.ts";

/** Windows by chunk; an empty list where there is no vector, with its reason in `failures`, by chunk id. */
export interface EmbeddedChunks {
  readonly vectors: readonly (readonly Float32Array[])[];
  readonly failures: Readonly<Record<string, string>>;
  readonly usage: Usage;
  /** Ordinals of chunks whose vectors are made later. */
  readonly pending?: readonly number[];
}

/** Vectors of a model are waited for, so they come after their document; those of the lexical embedding cost nothing. */
export function comeLater({ kind }: Embedder): boolean {
  return kind !== "lexical";
}

/** The vectors that are there already; all others come later (embed-later.ts). */
export async function keptOfChunks(
  { title }: Pick<Document, "title">,
  chunks: readonly Chunk[],
  contexts: readonly Context[],
  options: Pick<EmbedTextsOptions, "embedder" | "contextStore">,
): Promise<EmbeddedChunks> {
  await options.embedder.ready?.();
  const kept = keptVectors(textsOf(title, chunks, contexts), options);
  const pending = kept.flatMap((vectors, ordinal) => (vectors === undefined ? [ordinal] : []));
  return { vectors: kept.map((vectors) => vectors ?? []), failures: {}, usage: NO_USAGE, pending };
}

function textsOf(title: string, chunks: readonly Chunk[], contexts: readonly Context[]): readonly string[] {
  return chunks.map((chunk, i) =>
    textForEmbedding({ title, chunk, context: contexts[i] ?? { kind: "none", text: "" } }),
  );
}

/** Embeds the chunks of a document, each with its context; without an embedder there are no vectors. */
export async function embedChunks(
  { title }: Pick<Document, "title">,
  chunks: readonly Chunk[],
  contexts: readonly Context[],
  { embedder, ...options }: Omit<EmbedTextsOptions, "embedder"> & { readonly embedder: Embedder | undefined },
): Promise<EmbeddedChunks> {
  if (!embedder) return { vectors: chunks.map(() => []), failures: {}, usage: NO_USAGE };
  const texts = textsOf(title, chunks, contexts);
  await embedder.ready?.();
  let usage = NO_USAGE;
  const onUsage = (used: Usage) => {
    usage = addUsage(usage, used);
  };
  const results = await embedTexts(texts, { ...options, embedder, onUsage });
  const failures: Record<string, string> = {};
  const vectors = chunks.map((chunk, i) => {
    const result = results[i] ?? { error: "no vector came back" };
    if ("vectors" in result) return result.vectors;
    failures[chunk.id] = `embedding: ${result.error}`;
    return [];
  });
  return { vectors, failures, usage };
}
