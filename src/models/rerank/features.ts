import type { RerankCandidate, RerankRequest } from "../../spec/index.ts";
import { type Occurrence, occurrenceFinder } from "./occurrences.ts";
import { type QueryUnits, queryUnits } from "./query-units.ts";

/** What the built-in reranker looks at; every value lies about between 0 and 1. */
export const FEATURES = [
  "fused score",
  "text rank",
  "vector score",
  "words anywhere",
  "closeness",
  "order",
  "order in context",
  "identifiers",
  "words in title",
  "rarest word",
  "document",
  "neighbours",
] as const;

export type Feature = (typeof FEATURES)[number];

/** Characters within which words count as standing together. */
const WINDOW = 240;

/** The features of each candidate, in the order of `FEATURES`. */
export function featuresOf(request: RerankRequest): readonly (readonly number[])[] {
  const query = queryUnits(request.query, request.languages, request.idf);
  const find = occurrenceFinder(query);
  const lists = listFeatures(request.candidates);
  const around = neighbourFeatures(request.candidates);
  return request.candidates.map((candidate, i) => {
    const { words, title, rarest } = wordFeatures(candidate, query, find);
    // What speaks for a whole document counts as far as the query names one.
    const byDocument = [title, rarest, ...(around[i] ?? [])].map((value) => value * request.documentWeight);
    return [...(lists[i] ?? []), ...words, ...byDocument];
  });
}

function listFeatures(candidates: readonly RerankCandidate[]): readonly (readonly number[])[] {
  const vector = Math.max(0, ...candidates.map(({ scores }) => scores.vector ?? 0));
  const fused = Math.max(0, ...candidates.map(({ score }) => score));
  return candidates.map(({ score, scores, ranks }) => [
    share(score, fused),
    nearness(ranks.text),
    share(scores.vector, vector),
  ]);
}

function share(score: number | undefined, best: number): number {
  return score === undefined || best <= 0 ? 0 : Math.max(0, score / best);
}

function nearness(rank: number | undefined): number {
  return rank === undefined ? 0 : 1 / Math.log2(1 + rank);
}

function wordFeatures(
  { stored, text }: RerankCandidate,
  query: QueryUnits,
  find: ReturnType<typeof occurrenceFinder>,
) {
  const { chunk, context, title, language } = stored;
  const [body, around, top] = [
    find(chunk.text, language),
    find(context.text, language),
    find(title, language),
  ];
  const [inBody, inContext, inTitle] = [body, around, top].map((found) => sharesOf(query, found));
  const best = query.units.map((_, i) => Math.max(inBody?.[i] ?? 0, inContext?.[i] ?? 0, inTitle?.[i] ?? 0));
  return {
    words: [
      covered(query, best),
      closeness(query, body),
      isCode(chunk.text) ? 0 : order(query, body),
      order(query, around),
      identifiers(query, text),
    ],
    title: covered(query, inTitle ?? []),
    rarest: rarestOf(query, best),
  };
}

/** In code, words that follow each other are no phrase. */
function isCode(text: string): boolean {
  let signs = 0;
  for (let i = 0; i < text.length; i++) if (CODE_SIGNS.has(text.charCodeAt(i))) signs++;
  return signs > text.length * CODE_SHARE;
}

const CODE_SIGNS: ReadonlySet<number> = new Set([..."{}();=<>[]&"].map((sign) => sign.charCodeAt(0)));
const CODE_SHARE = 0.025;

/** Best match of each unit. */
function sharesOf({ units }: QueryUnits, occurrences: readonly Occurrence[]): readonly number[] {
  const shares = units.map(() => 0);
  for (const { unit, share: value } of occurrences) if (value > (shares[unit] ?? 0)) shares[unit] = value;
  return shares;
}

/** Share of the query's weight that is there. */
function covered({ units, total }: QueryUnits, shares: readonly number[]): number {
  if (total === 0) return 0;
  return units.reduce((sum, { weight }, i) => sum + weight * (shares[i] ?? 0), 0) / total;
}

/** Whether the query's weightiest word is there. */
function rarestOf({ units }: QueryUnits, shares: readonly number[]): number {
  let best = -1;
  units.forEach(({ weight }, i) => {
    if (weight > (units[best]?.weight ?? 0)) best = i;
  });
  return best < 0 ? 0 : (shares[best] ?? 0);
}

/** Largest share of the query's weight that stands within one window of the text. */
function closeness({ units, total }: QueryUnits, occurrences: readonly Occurrence[]): number {
  if (total === 0) return 0;
  const inside = new Int32Array(units.length);
  const weightOf = (unit: number) => units[unit]?.weight ?? 0;
  let [weight, best, from] = [0, 0, 0];
  for (const { unit, at } of occurrences) {
    if (inside[unit] === 0) weight += weightOf(unit);
    inside[unit] = (inside[unit] ?? 0) + 1;
    for (let first = occurrences[from]; first && first.at < at - WINDOW; first = occurrences[++from]) {
      inside[first.unit] = (inside[first.unit] ?? 0) - 1;
      if (inside[first.unit] === 0) weight -= weightOf(first.unit);
    }
    best = Math.max(best, weight);
  }
  return best / total;
}

/** Share of the query's neighbouring words that are neighbours in the text as well, in the same order. */
function order({ units }: QueryUnits, occurrences: readonly Occurrence[]): number {
  const pairs = new Set<number>();
  for (let i = 0; i + 1 < occurrences.length; i++) {
    const here = occurrences[i];
    for (let j = i + 1; here && j < Math.min(i + 4, occurrences.length); j++) {
      const next = occurrences[j];
      if (next?.unit === here.unit + 1 && next.at - here.at <= GAP) pairs.add(here.unit);
    }
  }
  const weightOf = (i: number) => Math.min(units[i]?.weight ?? 0, units[i + 1]?.weight ?? 0);
  const all = units.reduce((sum, _, i) => sum + weightOf(i), 0);
  return all === 0 ? 0 : [...pairs].reduce((sum, i) => sum + weightOf(i), 0) / all;
}

/** Characters from the beginning of a word to that of its neighbour. */
const GAP = 24;

function identifiers({ identifiers: wanted }: QueryUnits, text: string): number {
  if (wanted.length === 0) return 0;
  const lower = text.toLowerCase();
  return wanted.filter((identifier) => lower.includes(identifier)).length / wanted.length;
}

/** Best text score of another chunk of the document, and of a neighbouring one, over the best of all. */
function neighbourFeatures(candidates: readonly RerankCandidate[]): readonly (readonly number[])[] {
  const best = Math.max(0, ...candidates.map(({ scores }) => scores.text ?? 0));
  return candidates.map(({ stored: { chunk } }) => {
    let [document, neighbours] = [0, 0];
    for (const { stored, scores } of candidates) {
      const distance = Math.abs(stored.chunk.ordinal - chunk.ordinal);
      if (stored.chunk.documentId !== chunk.documentId || distance === 0) continue;
      document = Math.max(document, scores.text ?? 0);
      if (distance === 1) neighbours = Math.max(neighbours, scores.text ?? 0);
    }
    return [share(document, best), share(neighbours, best)];
  });
}
