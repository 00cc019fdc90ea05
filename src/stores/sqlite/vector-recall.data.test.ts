import { readdirSync, readFileSync, statSync } from "node:fs";
import { join, resolve } from "node:path";
import { expect, test } from "vitest";
import { createLexicalEmbedder } from "../../models/lexical/index.ts";
import { idf } from "../../text/bm25.ts";
import { exactTerms } from "../../text/exact-terms.ts";
import { vectorBank } from "./vector-bank.ts";
import { encodeVectors, type VectorCodes } from "./vector-codes.ts";

const data = resolve(process.env.KONTEKS_DATA ?? "../shared/datasets");
/** What is checked: of 100,000 vectors, the nearest 20 among the 1,200 that are compared exactly by default. */
const [OF, NEAREST, CANDIDATES] = [100_000, 20, 1_200];

/** Pieces of 560 characters, as the speed benchmark cuts them, and questions, from all sets in turn. */
function readTexts(pieces: number, questions: number): { texts: string[]; asked: string[] } {
  const sets = readdirSync(data).filter((set) =>
    statSync(join(data, set, "queries.jsonl"), { throwIfNoEntry: false }),
  );
  const lines = (set: string, file: string) => {
    const text = readFileSync(join(data, set, file), "utf8").trim();
    return text.split("\n").map((line) => (JSON.parse(line) as { text: string }).text);
  };
  const cut = sets.map((set) =>
    lines(set, "corpus.jsonl").flatMap((text) => text.match(/.{1,560}/gsu) ?? []),
  );
  const each = Math.ceil(pieces / sets.length);
  const texts = cut.flatMap((list) => list.filter((_, i) => i % Math.ceil(list.length / each) === 0));
  const asked = sets.flatMap((set) =>
    lines(set, "queries.jsonl").slice(0, Math.ceil(questions / sets.length)),
  );
  return { texts, asked };
}

function dot(a: Float32Array, b: Float32Array): number {
  let sum = 0;
  for (let i = 0; i < a.length; i++) sum += (a[i] as number) * (b[i] as number);
  return sum;
}

test("the nearest are found in 98 of 100 cases, on the built-in embedding of real text, beside all vectors in full precision", {
  timeout: 300_000,
}, async () => {
  const embedder = createLexicalEmbedder();
  const { texts, asked } = readTexts(20_000, 300);
  const vectors = await embedder.embedDocuments(texts);
  const frequencies = new Map<string, number>();
  for (const text of texts) {
    for (const term of new Set(exactTerms(text))) frequencies.set(term, (frequencies.get(term) ?? 0) + 1);
  }
  const bank = vectorBank(embedder.dimensions ?? 0);
  bank.put(0, encodeVectors(vectors.map((vector) => [vector])) as VectorCodes);
  // Of fewer vectors, the same shares of them: as hard.
  const candidates = Math.ceil((CANDIDATES * texts.length) / OF);
  const limit = Math.ceil((NEAREST * texts.length) / OF);
  expect(texts.length).toBeGreaterThan(8_000);
  let hits = 0;
  let all = 0;
  for (const question of asked) {
    const query = await embedder.embedQuery(question, {
      idf: (term) => idf(texts.length, frequencies.get(term) ?? 0),
    });
    const exact = vectors.map((vector) => dot(vector, query));
    const least = exact.toSorted((a, b) => b - a)[limit - 1] ?? 0;
    const near = bank.scan(bank.ask(query), [{ start: 0, end: texts.length }], candidates).nearest();
    const found: { window: number; cosine: number }[] = [];
    bank.dotsOf(near, (window, product) => {
      found.push({ window, cosine: product * (bank.inverseNorms[window] as number) });
    });
    const best = found.sort((a, b) => b.cosine - a.cosine).slice(0, limit);
    // As near as the last of the exact ones counts: which of several equal ones comes is no question of recall.
    hits += best.filter(({ window }) => (exact[window] as number) >= least - 1e-4).length;
    all += limit;
  }
  expect(hits / all).toBeGreaterThanOrEqual(0.98);
});
