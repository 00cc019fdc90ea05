import type { bestOf } from "./best.ts";
import { type Candidate, entryOf } from "./candidates.ts";
import { BLOCK_SHIFT } from "./chunk-blocks.ts";
import type { Part } from "./query-parts.ts";
import { seekWithin } from "./seek.ts";

/** Scores candidates anew in double precision, terms in the query's order, and offers them. */
export function offerExact(
  candidates: readonly Candidate[],
  offer: ReturnType<typeof bestOf>["offer"],
): void {
  let before: Candidate | undefined;
  let ofDocument = 0;
  for (const candidate of candidates) {
    const { part, chunk, document } = candidate;
    if (before?.part !== part || before.document !== document) ofDocument = exactOfDocument(part, document);
    before = candidate;
    const { documents, starts } = part.segment;
    const score = exactOfChunk(part, chunk) + ofDocument;
    offer(documents[document] as number, chunk - (starts[document] as number), score);
  }
}

function exactOfChunk({ terms }: Part, chunk: number): number {
  let score = 0;
  for (const { term, impacts } of terms) {
    const at = entryOf(impacts, chunk, chunk >>> BLOCK_SHIFT);
    if (at >= 0) score += term.weight * (impacts.values[at] as number);
  }
  return score;
}

function exactOfDocument({ terms }: Part, document: number): number {
  let score = 0;
  for (const { term, impacts } of terms) {
    const { documents, documentValues } = impacts;
    const at = seekWithin(documents, document, 0, documents.length);
    if (documents[at] === document) score += term.documentWeight * (documentValues[at] as number);
  }
  return score;
}
