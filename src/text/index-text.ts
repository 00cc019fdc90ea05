import type { Chunk, Context } from "../spec/index.ts";

/**
 * The parts every stage's text is made of. One function a stage, and both directions and every stage use these,
 * so that what is embedded, indexed and reranked never drifts apart (invariant I3).
 */
export interface IndexParts {
  readonly title: string;
  readonly chunk: Pick<Chunk, "text" | "headings" | "repeated">;
  readonly context: Context;
}

/** What is embedded: context, then the chunk with its repeated header rows. */
export function textForEmbedding(parts: IndexParts): string {
  return join([parts.context.text, parts.chunk.repeated, parts.chunk.text]);
}

/** What BM25 reads, by field. */
export function textForBm25(parts: IndexParts): Readonly<Record<"context" | "body", string>> {
  return { context: parts.context.text, body: join([parts.chunk.repeated, parts.chunk.text]) };
}

/** What a reranker reads. */
export function textForRerank(parts: IndexParts): string {
  return join([
    parts.title,
    parts.chunk.headings.join(" > "),
    parts.context.text,
    parts.chunk.repeated,
    parts.chunk.text,
  ]);
}

function join(parts: readonly (string | undefined)[]): string {
  return parts.filter((part) => part !== undefined && part !== "").join("\n");
}
