import type { FusionPart, Hit, SearchResult, TermExplanation } from "../../spec/index.ts";
import { describeTerm } from "../../text/describe-term.ts";
import { columns } from "./layout.ts";

const MOST_TERMS = 8;

/** What a hit's scores are the sum of, a line for each part. */
export function explainLines({ explanation, scores }: Hit): readonly string[] {
  if (!explanation) return [];
  const { terms, fusion, rerank } = explanation;
  return [
    ...section("bm25", scores.bm25, terms.slice(0, MOST_TERMS).map(termRow), restOf(terms)),
    ...section(
      scores.rrf === undefined ? "weighted" : "rrf",
      scores.rrf ?? scores.weighted,
      fusion.map(fusionRow),
    ),
    ...section(
      "rerank",
      scores.rerank,
      Object.entries(rerank ?? {}).map(([name, part]) => [`+ ${number(part)}`, name, ""]),
    ),
  ];
}

function fusionRow({ list, weight, rank, score, part }: FusionPart): readonly string[] {
  // What a neighbour adds comes of no list.
  const place = rank === 0 ? "" : `rank ${rank}, `;
  return [`+ ${number(part)}`, list, `${place}score ${number(score)}, weight ${number(weight)}`];
}

/** What each stage of a search did, and how long it took. */
export function stageLines({ trace }: SearchResult): readonly string[] {
  return columns(trace.map(({ stage, ms, facts }) => [stage, `${ms.toFixed(1)} ms`, factsOf(facts)]));
}

function factsOf(facts: Readonly<Record<string, unknown>>): string {
  return Object.entries(facts)
    .map(([name, value]) => `${name} ${typeof value === "object" ? listOf(value) : plain(value)}`)
    .join(", ");
}

function listOf(value: unknown): string {
  if (Array.isArray(value)) return `(${value.join("; ")})`;
  const inner = Object.entries((value ?? {}) as Record<string, unknown>);
  return `(${inner.map(([name, each]) => `${name} ${plain(each)}`).join(", ")})`;
}

function plain(value: unknown): string {
  return typeof value === "number" && !Number.isInteger(value) ? value.toFixed(2) : String(value);
}

function section(
  name: string,
  score: number | undefined,
  rows: readonly (readonly string[])[],
  rest: readonly string[] = [],
): readonly string[] {
  if (score === undefined || rows.length === 0) return [];
  return [`${name} ${number(score)} =`, ...columns(rows).map((line) => `  ${line}`), ...rest];
}

function termRow({
  term,
  words,
  frequency,
  idf,
  fields,
  chunk,
  document,
}: TermExplanation): readonly string[] {
  const parts = document === 0 ? "" : `chunk ${number(chunk)}, document ${number(document)}; `;
  const { text, kind } = describeTerm(term);
  const of = words.map((word) => `"${word}"`).join(", ");
  const form = kind === "as written" ? "" : `${kind} `;
  return [
    `+ ${number(chunk + document)}`,
    text,
    `${parts}${form}of ${of}, in ${frequency} ${frequency === 1 ? "chunk" : "chunks"} (idf ${number(idf)})${placesOf(fields)}`,
  ];
}

function placesOf(fields: TermExplanation["fields"]): string {
  const places = fields.map(
    ({ field, frequency, length }) =>
      `${field} ${frequency}\u00d7 in ${length} ${length === 1 ? "word" : "words"}`,
  );
  return places.length === 0 ? "" : `; ${places.join(", ")}`;
}

function restOf(terms: readonly TermExplanation[]): readonly string[] {
  const rest = terms.slice(MOST_TERMS);
  if (rest.length === 0) return [];
  const sum = rest.reduce((total, { chunk, document }) => total + chunk + document, 0);
  return [`  + ${number(sum)}  ${rest.length} more ${rest.length === 1 ? "term" : "terms"}`];
}

function number(value: number): string {
  return Math.abs(value) < 1 ? value.toFixed(4) : value.toFixed(2);
}
