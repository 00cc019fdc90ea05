import type { Hit, TermExplanation } from "../../spec/index.ts";
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
      fusion.map(({ list, weight, rank, score, part }) => [
        `+ ${number(part)}`,
        list,
        `rank ${rank}, score ${number(score)}, weight ${number(weight)}`,
      ]),
    ),
    ...section(
      "rerank",
      scores.rerank,
      Object.entries(rerank ?? {}).map(([name, part]) => [`+ ${number(part)}`, name, ""]),
    ),
  ];
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

function termRow({ term, words, frequency, chunk, document }: TermExplanation): readonly string[] {
  const parts = document === 0 ? "" : `chunk ${number(chunk)}, document ${number(document)}; `;
  return [`+ ${number(chunk + document)}`, term, `${parts}of "${words.join(", ")}", in ${frequency} chunks`];
}

function restOf(terms: readonly TermExplanation[]): readonly string[] {
  const rest = terms.slice(MOST_TERMS);
  if (rest.length === 0) return [];
  const sum = rest.reduce((total, { chunk, document }) => total + chunk + document, 0);
  return [`  + ${number(sum)}  ${rest.length} more terms`];
}

function number(value: number): string {
  return Math.abs(value) < 1 ? value.toFixed(4) : value.toFixed(2);
}
