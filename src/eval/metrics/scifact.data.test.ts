import { join } from "node:path";
import { stemmer } from "@orama/stemmers/english";
import { expect, it } from "vitest";
import { readEvaluationSet } from "../dataset/read.ts";
import { judge } from "../judge.ts";
import { metric } from "./metrics.ts";

const data = process.env.KONTEKS_DATA ?? "../shared/datasets";

/** The stop words of Lucene's English analyzer. */
const stopWords = new Set(
  "a an and are as at be but by for if in into is it no not of on or such that the their then there these they this to was will with".split(
    " ",
  ),
);

function terms(text: string): readonly string[] {
  const words = text.toLowerCase().match(/[\p{L}\p{N}]+(?:['’.][\p{L}\p{N}]+)*/gu) ?? [];
  const kept = words.map((word) => word.replace(/['’]s$/, "")).filter((word) => !stopWords.has(word));
  return kept.map((word) => stemmer(word));
}

interface Posting {
  readonly document: number;
  readonly frequency: number;
}

/** BM25 as Lucene computes it (k1 0.9, b 0.4), term by term and without anything clever. */
function naiveBm25(texts: readonly string[]) {
  const postings = new Map<string, Posting[]>();
  const lengths = texts.map((text, document) => {
    const all = terms(text);
    for (const [term, same] of Map.groupBy(all, (each) => each)) {
      postings.set(term, [...(postings.get(term) ?? []), { document, frequency: same.length }]);
    }
    return all.length;
  });
  const mean = lengths.reduce((total, length) => total + length, 0) / lengths.length;
  return (query: string, limit: number) => {
    const scores = new Map<number, number>();
    for (const term of terms(query)) {
      const list = postings.get(term) ?? [];
      const idf = Math.log(1 + (texts.length - list.length + 0.5) / (list.length + 0.5));
      for (const { document, frequency } of list) {
        const norm = 0.9 * (1 - 0.4 + (0.4 * (lengths[document] ?? 0)) / mean);
        scores.set(document, (scores.get(document) ?? 0) + (idf * frequency) / (frequency + norm));
      }
    }
    return [...scores].sort((a, b) => b[1] - a[1]).slice(0, limit);
  };
}

it("our metrics over plain BM25 on SciFact give the published figures", async () => {
  const { documents, questions } = await readEvaluationSet(join(data, "scifact"));
  const search = naiveBm25(documents.map(({ title = "", text }) => `${title} ${text}`));
  const judged = questions.map((question) =>
    judge(
      search(question.text, 100).map(([index, score]) => {
        const { id = "", text = "" } = documents[index] ?? {};
        return { documentId: id, start: 0, end: text.length, score, tokens: 1 };
      }),
      question.gold,
    ),
  );
  const mean = (name: string) =>
    judged.reduce((total, row) => total + (metric(name).of(row) ?? 0), 0) / judged.length;
  console.info(
    `SciFact, BM25: nDCG@10 ${mean("ndcg@10").toFixed(4)}, recall@100 ${mean("recall@100").toFixed(4)}`,
  );
  expect(questions).toHaveLength(300);
  expect(Math.abs(mean("ndcg@10") - 0.6789)).toBeLessThan(0.01);
  expect(Math.abs(mean("recall@100") - 0.9253)).toBeLessThan(0.01);
});
