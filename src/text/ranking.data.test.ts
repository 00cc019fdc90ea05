import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { FieldTerms } from "../spec/index.ts";
import { analyzeField, analyzeQuery } from "./analyze.ts";
import { DEFAULT_BM25, idf, normalisedFrequency, saturate } from "./bm25.ts";
import { detectLanguage } from "./language.ts";

const DATA = process.env.KONTEKS_DATA ?? "../shared/datasets";

interface Row {
  readonly id: string;
  readonly title?: string;
  readonly text: string;
  readonly meta?: {
    readonly chunks?: readonly (readonly [id: string, at: number, start: number, end: number])[];
  };
}
interface Piece {
  readonly documentId: string;
  readonly start: number;
  readonly end: number;
  readonly fields: readonly FieldTerms[];
}
interface Gold {
  readonly documentId: string;
  readonly start: number;
  readonly end: number;
}
interface FieldOptions {
  readonly weight?: number;
  readonly b?: number;
}

function rows<T = Row>(set: string, file: string): readonly T[] {
  const lines = readFileSync(join(DATA, set, file), "utf8").split("\n");
  return lines.filter((line) => line !== "").map((line) => JSON.parse(line) as T);
}

function goldOf(set: string): ReadonlyMap<string, readonly Gold[]> {
  const found = new Map<string, Gold[]>();
  for (const line of readFileSync(join(DATA, set, "qrels.tsv"), "utf8")
    .trim()
    .split("\n")
    .slice(1)) {
    const [query = "", documentId = "", , start, end] = line.split("\t");
    found.set(query, [...(found.get(query) ?? []), { documentId, start: Number(start), end: Number(end) }]);
  }
  return found;
}

/** Cuts at line ends, or at a blank where a line is too long. */
function cut(text: string, size = 800): readonly (readonly [number, number])[] {
  const spans: [number, number][] = [];
  for (let start = 0; start < text.length; ) {
    let end = Math.min(start + size, text.length);
    const window = text.slice(start, end);
    const at = Math.max(window.lastIndexOf("\n"), 0) || window.lastIndexOf(" ");
    if (end < text.length && at > 0) end = start + at + 1;
    spans.push([start, end]);
    start = end;
  }
  return spans;
}

/** Exhaustive BM25 over all pieces; best first. */
function ranker(pieces: readonly Piece[], options: readonly FieldOptions[], k1 = DEFAULT_BM25.k1) {
  const postings = new Map<string, number[]>();
  pieces.forEach(({ fields }, at) => {
    for (const term of new Set(fields.flatMap((field) => [...field.terms.keys()]))) {
      const list = postings.get(term);
      if (list === undefined) postings.set(term, [at]);
      else list.push(at);
    }
  });
  const averages = options.map(
    (_, f) => pieces.reduce((sum, p) => sum + (p.fields[f]?.length ?? 0), 0) / pieces.length,
  );
  return (query: string, languages: readonly string[]): readonly number[] => {
    const scores = new Map<number, number>();
    for (const { term, weight } of analyzeQuery(query, { languages }).terms) {
      const list = postings.get(term) ?? [];
      for (const at of list) {
        const tfn = options.reduce((sum, option, f) => {
          const field = pieces[at]?.fields[f];
          return (
            sum +
            normalisedFrequency(field?.terms.get(term) ?? 0, field?.length ?? 0, averages[f] ?? 0, option)
          );
        }, 0);
        scores.set(at, (scores.get(at) ?? 0) + weight * idf(pieces.length, list.length) * saturate(tfn, k1));
      }
    }
    return [...scores].sort((a, b) => b[1] - a[1] || a[0] - b[0]).map(([at]) => at);
  };
}

function isGold(piece: Piece | undefined, gold: Gold): boolean {
  if (piece === undefined || piece.documentId !== gold.documentId) return false;
  return gold.start === gold.end || (piece.start < gold.end && piece.end > gold.start);
}

/** Mean over the queries, in per cent, of the share of gold that the first k hold; `any`: whether one is there. */
function measure(
  set: string,
  ranks: (query: string) => readonly (Piece | undefined)[],
  ks: readonly number[],
  any: boolean,
): readonly number[] {
  const gold = goldOf(set);
  const queries = rows(set, "queries.jsonl").filter(({ id }) => gold.has(id));
  const sums = ks.map(() => 0);
  for (const { id, text } of queries) {
    const wanted = gold.get(id) ?? [];
    const found = ranks(text);
    ks.forEach((k, i) => {
      const hits = wanted.filter((span) => found.slice(0, k).some((piece) => isGold(piece, span))).length;
      sums[i] = (sums[i] ?? 0) + (any ? Math.min(1, hits) : hits / wanted.length);
    });
  }
  return sums.map((sum) => (100 * sum) / queries.length);
}

function passages(set: string): { readonly pieces: readonly Piece[]; readonly languages: readonly string[] } {
  const languages = new Set<string>();
  const pieces = rows(set, "corpus.jsonl").flatMap(({ id, title, text }) => {
    const language = detectLanguage(text);
    if (language !== undefined) languages.add(language);
    const context = analyzeField((title ?? "").replaceAll("_", " "), { language });
    return cut(text).map(([start, end]) => ({
      documentId: id,
      start,
      end,
      fields: [context, analyzeField(text.slice(start, end), { language })],
    }));
  });
  return { pieces, languages: [...languages] };
}

const FIELDS = [DEFAULT_BM25.fields.context ?? {}, DEFAULT_BM25.fields.body ?? {}];

describe("ranking", () => {
  it.each([
    ["idk-mrc-id", 93],
    ["xquad-vi", 97.5],
    ["xquad-zh", 98.6],
    ["xquad-th", 98.4],
    ["react-docs-id", 54],
  ])("%s: gold in the first five for at least %d in a hundred questions", (set, floor) => {
    const { pieces, languages } = passages(set);
    const rank = ranker(pieces, FIELDS);
    const [five = 0] = measure(set, (query) => rank(query, languages).map((at) => pieces[at]), [5], true);
    expect(five).toBeGreaterThanOrEqual(floor);
  });

  it.each([
    ["the chunk alone", false, [80, 86.5, 89.5]],
    ["context and chunk", true, [86, 91, 94]],
  ] as const)("codebases, published chunks, %s", (_, withContext, floors) => {
    const contexts = new Map(
      rows<{ chunk_id: string; context: string }>("codebases", "contexts.jsonl").map((row) => [
        row.chunk_id,
        row.context,
      ]),
    );
    const pieces = rows("codebases", "corpus.jsonl").flatMap(({ id, text, meta }) => {
      const language = detectLanguage(text);
      return (meta?.chunks ?? []).map(([chunkId, , start, end]) => {
        const context = withContext ? (contexts.get(chunkId) ?? "") : "";
        const fields = [context, text.slice(start, end)].map((field) => analyzeField(field, { language }));
        return { documentId: id, start, end, fields };
      });
    });
    const rank = ranker(pieces, FIELDS);
    const shares = measure(
      "codebases",
      (query) => rank(query, ["en"]).map((at) => pieces[at]),
      [5, 10, 20],
      false,
    );
    floors.forEach((floor, i) => {
      expect(shares[i]).toBeGreaterThanOrEqual(floor);
    });
  });

  it("scifact with Lucene's settings finds what Lucene finds (recall at 100: 92.53)", () => {
    const pieces = rows("scifact", "corpus.jsonl").map(({ id, title, text }) => ({
      documentId: id,
      start: 0,
      end: text.length,
      fields: [analyzeField(`${title}\n${text}`, { language: "en" })],
    }));
    const rank = ranker(pieces, [{ b: 0.4 }], 0.9);
    const gold = goldOf("scifact");
    const [recall = 0] = measure(
      "scifact",
      (query) => rank(query, ["en"]).map((at) => pieces[at]),
      [100],
      false,
    );
    expect(gold.size).toBe(300);
    expect(recall).toBeGreaterThanOrEqual(92);
  });
});
