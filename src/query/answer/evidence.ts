import type { Evidence, Hit } from "../../spec/index.ts";
import { countTokens } from "../../text/count-tokens.ts";

export interface EvidenceOptions {
  /** Most tokens of text. Default 16,000. */
  readonly maxTokens?: number | undefined;
  /** Text of a document, to tell a blank gap from words that are missing. Without it only chunks that touch are merged. */
  readonly textOf?: (documentId: string) => string | undefined;
}

/** Passages for a prompt, best first and numbered, and the hits that had no room. */
export interface BuiltEvidence {
  readonly evidence: readonly Evidence[];
  readonly leftOut: number;
}

/**
 * Makes passages of hits: as many as the budget holds, every document its fair share before any gets more, neighbouring
 * chunks of one section as one passage without their overlap. The order is that of each passage's best hit.
 */
export function buildEvidence(hits: readonly Hit[], options: EvidenceOptions = {}): BuiltEvidence {
  const chosen = withinBudget(hits, options.maxTokens ?? 16_000);
  const merged = mergeNeighbours(chosen, options.textOf ?? (() => undefined));
  return { evidence: merged.map(toEvidence), leftOut: hits.length - chosen.length };
}

/** The best hit always has its place: an answer from one long chunk is better than none. */
function withinBudget(hits: readonly Hit[], maxTokens: number): readonly Hit[] {
  const documents = new Set(hits.map(({ documentId }) => documentId));
  const share = maxTokens / Math.max(1, documents.size);
  const sized = hits.map((hit) => ({ hit, tokens: countTokens(hit.text) }));
  const chosen = new Set<Hit>(hits.slice(0, 1));
  let left = maxTokens - (sized[0]?.tokens ?? 0);
  const used = new Map<string, number>();
  const take = (fits: (documentId: string, tokens: number) => boolean) => {
    for (const { hit, tokens } of sized) {
      if (chosen.has(hit) || tokens > left || !fits(hit.documentId, tokens)) continue;
      chosen.add(hit);
      left -= tokens;
      used.set(hit.documentId, (used.get(hit.documentId) ?? 0) + tokens);
    }
  };
  take((documentId, tokens) => (used.get(documentId) ?? 0) + tokens <= share);
  take(() => true);
  return hits.filter((hit) => chosen.has(hit));
}

/** A passage under way: hits of one section, side by side, in the order of the document. */
interface Passage {
  readonly hits: readonly Hit[];
  readonly text: string;
  readonly start: number;
  readonly end: number;
  readonly rank: number;
}

function mergeNeighbours(
  hits: readonly Hit[],
  textOf: (documentId: string) => string | undefined,
): readonly Passage[] {
  const byPlace = [...hits].sort(
    (a, b) => compare(a.documentId, b.documentId) || a.start - b.start || a.end - b.end,
  );
  const passages: Passage[] = [];
  for (const hit of byPlace) {
    const last = passages.at(-1);
    const text = last && joinedText(last, hit, textOf(hit.documentId));
    if (last && text !== undefined) passages[passages.length - 1] = extended(last, hit, text);
    else passages.push({ hits: [hit], text: hit.text, start: hit.start, end: hit.end, rank: hit.rank });
  }
  return passages.sort((a, b) => a.rank - b.rank);
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

function extended(passage: Passage, hit: Hit, text: string): Passage {
  return {
    hits: [...passage.hits, hit],
    text,
    start: passage.start,
    end: Math.max(passage.end, hit.end),
    rank: Math.min(passage.rank, hit.rank),
  };
}

/** The two as one slice of the document; undefined when something lies between them or they are of two sections. */
function joinedText(passage: Passage, hit: Hit, document: string | undefined): string | undefined {
  const before = passage.hits.at(-1);
  if (before === undefined || before.documentId !== hit.documentId) return undefined;
  if (before.headings.join("\n") !== hit.headings.join("\n")) return undefined;
  if (hit.end <= passage.end) return passage.text;
  if (hit.start <= passage.end) return passage.text + hit.text.slice(passage.end - hit.start);
  const gap = document?.slice(passage.end, hit.start);
  return gap !== undefined && gap.trim() === "" ? passage.text + gap + hit.text : undefined;
}

function toEvidence({ hits, text, start, end }: Passage, index: number): Evidence {
  const [first] = hits as readonly [Hit, ...Hit[]];
  const pages = hits.flatMap((hit) => hit.pages ?? []);
  return {
    number: index + 1,
    documentId: first.documentId,
    title: first.title,
    uri: first.uri,
    headings: first.headings,
    lines: [first.lines[0], Math.max(...hits.map((hit) => hit.lines[1]))],
    ...(pages.length > 0 && { pages: [Math.min(...pages), Math.max(...pages)] as const }),
    start,
    end,
    text,
    chunks: hits.map((hit) => ({ id: hit.chunkId, start: hit.start, end: hit.end })),
    orientation: [...new Set(hits.map((hit) => hit.context.text.trim()).filter((words) => words !== ""))],
    ...(first.language !== undefined && { language: first.language }),
  };
}
