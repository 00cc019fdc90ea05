import type { Konteks, StoredChunk } from "../../spec/index.ts";
import { emptyIndex } from "../build.ts";
import { shuffled } from "../random.ts";

export const questionKinds = ["fact", "number", "comparison", "unanswerable"] as const;
export type QuestionKind = (typeof questionKinds)[number];

/** A question to be asked for: what kind, and over which chunks. */
export interface PlannedQuestion {
  readonly kind: QuestionKind;
  /** One, or the two that a comparison is about. */
  readonly chunks: readonly StoredChunk[];
}

export interface PlanOptions {
  /** Questions wanted. Default 60. */
  readonly count?: number;
  /** Share of each kind, by weight. Default: fact 4, number 2, comparison 2, unanswerable 2. */
  readonly kinds?: Partial<Readonly<Record<QuestionKind, number>>>;
  /** Equal seeds plan equal questions over an equal index. Default 1. */
  readonly seed?: number;
}

/** Shorter chunks hold too little to ask about. Tokens. */
const fewTokens = 25;

/**
 * Samples chunks across documents and, within a document, across its sections: documents take turns, so that one large
 * document does not get all the questions. Refuses an empty index.
 */
export async function planQuestions(
  konteks: Konteks,
  options: PlanOptions = {},
): Promise<readonly PlannedQuestion[]> {
  const { count = 60, kinds = { fact: 4, number: 2, comparison: 2, unanswerable: 2 }, seed = 1 } = options;
  const documents = await konteks.documents();
  if (documents.every((document) => document.chunks === 0)) throw emptyIndex("the index");
  const byDocument = await Promise.all(documents.map(({ id }) => konteks.chunks(id)));
  const order = inTurns(
    shuffled(byDocument, seed).map((chunks) => acrossSections(chunks.filter(isLong), seed)),
  );
  const wanted = kindsInTurns(kinds, count);
  const taken = new Set<StoredChunk>();
  return wanted.flatMap((kind): readonly PlannedQuestion[] => {
    const chunk = order.find((each) => !taken.has(each) && fits(each, kind));
    if (chunk === undefined) return [];
    taken.add(chunk);
    if (kind !== "comparison") return [{ kind, chunks: [chunk] }];
    const other = partnerOf(chunk, order);
    return other === undefined ? [] : [{ kind, chunks: [chunk, other] }];
  });
}

function isLong({ chunk }: StoredChunk): boolean {
  return chunk.tokens >= fewTokens;
}

function fits({ chunk }: StoredChunk, kind: QuestionKind): boolean {
  return kind !== "number" || /\p{N}/u.test(chunk.text);
}

/** Another place of the same document, from another section where there is one; else another document. */
function partnerOf(one: StoredChunk, order: readonly StoredChunk[]): StoredChunk | undefined {
  const others = order.filter(({ chunk }) => chunk.id !== one.chunk.id && !overlaps(chunk, one.chunk));
  const siblings = others.filter(({ chunk }) => chunk.documentId === one.chunk.documentId);
  return siblings.find((each) => sectionOf(each) !== sectionOf(one)) ?? siblings[0] ?? others[0];
}

function overlaps(a: StoredChunk["chunk"], b: StoredChunk["chunk"]): boolean {
  return a.documentId === b.documentId && a.start < b.end && b.start < a.end;
}

function sectionOf({ chunk }: StoredChunk): string {
  return chunk.headings.join("\n");
}

function acrossSections(chunks: readonly StoredChunk[], seed: number): readonly StoredChunk[] {
  const sections = [...Map.groupBy(chunks, sectionOf).values()];
  return inTurns(shuffled(sections, seed).map((section) => shuffled(section, seed)));
}

/** First of each list, then second of each, … */
function inTurns<T>(lists: readonly (readonly T[])[]): readonly T[] {
  const longest = Math.max(0, ...lists.map((list) => list.length));
  return Array.from({ length: longest }, (_, index) =>
    lists.flatMap((list) => list.slice(index, index + 1)),
  ).flat();
}

/** Kinds spread evenly, by the largest remainder at each place. */
function kindsInTurns(weights: PlanOptions["kinds"], count: number): readonly QuestionKind[] {
  const shares = questionKinds.map((kind) => ({ kind, share: weights?.[kind] ?? 0, given: 0 }));
  const total = shares.reduce((sum, { share }) => sum + share, 0);
  return Array.from({ length: count }, (_, index) => {
    const due = ({ share, given }: (typeof shares)[number]) => (share * (index + 1)) / total - given;
    const next = shares.reduce((best, each) => (due(each) > due(best) ? each : best));
    next.given++;
    return next.kind;
  });
}
