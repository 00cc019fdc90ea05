import {
  closeSync,
  createReadStream,
  existsSync,
  mkdirSync,
  openSync,
  readFileSync,
  readSync,
  renameSync,
  writeFileSync,
  writeSync,
} from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { createLexicalEmbedder } from "../src/models/lexical/index.ts";
import { idf } from "../src/text/bm25.ts";
import { exactTerms } from "../src/text/exact-terms.ts";
import { type SpeedDocument, speedDocuments, speedQueries } from "./speed-corpus.ts";
import type { EmbeddedDocument, SpeedQuery } from "./speed-engines/engine.ts";

/** What every engine is given at a size; made once and kept. */
export interface SpeedInput {
  readonly chunks: number;
  readonly dimensions: number;
  /** A document a line, as JSON. */
  readonly corpus: string;
  /** Vectors of all chunks, in the corpus's order, as 32-bit floats. */
  readonly vectors: string;
  /** Bytes of UTF-8 in all chunks. */
  readonly textBytes: number;
}

/** The nearest chunks of each question in full precision, with their cosines. */
export type ExactLists = Readonly<Record<string, readonly (readonly [id: string, cosine: number])[]>>;

/** Deep enough that chunks as near as the last that counts are among them. */
const EXACT_DEPTH = 60;
const EPSILON = 1e-6;
const BLOCK = 4_096;

const embedder = createLexicalEmbedder();

export async function prepare(folder: string, chunks: number): Promise<SpeedInput> {
  mkdirSync(folder, { recursive: true });
  const corpus = join(folder, `corpus-${chunks}.jsonl`);
  const vectors = join(folder, `vectors-${chunks}.f32`);
  const facts = join(folder, `facts-${chunks}.json`);
  if (!existsSync(facts)) writeFileSync(facts, JSON.stringify(await makeCorpus(corpus, vectors, chunks)));
  const { textBytes } = JSON.parse(readFileSync(facts, "utf8")) as Facts;
  return { chunks, corpus, vectors, textBytes, dimensions: embedder.dimensions ?? 0 };
}

interface Facts {
  readonly textBytes: number;
  /** How many chunks hold each word of the questions. */
  readonly frequencies: Readonly<Record<string, number>>;
}

async function makeCorpus(corpus: string, vectors: string, chunks: number): Promise<Facts> {
  const texts = openSync(`${corpus}.part`, "w");
  const numbers = openSync(`${vectors}.part`, "w");
  const frequencies = new Map(
    speedQueries(QUESTIONS).flatMap((text) => exactTerms(text).map((term) => [term, 0])),
  );
  let textBytes = 0;
  for (const document of speedDocuments(chunks)) {
    writeSync(texts, `${JSON.stringify(document)}\n`);
    const made = await embedder.embedDocuments(document.chunks.map((text) => `${document.title}\n${text}`));
    for (const vector of made) writeSync(numbers, new Uint8Array(vector.buffer));
    for (const chunk of document.chunks) {
      textBytes += Buffer.byteLength(chunk);
      for (const term of new Set(exactTerms(chunk))) {
        const known = frequencies.get(term);
        if (known !== undefined) frequencies.set(term, known + 1);
      }
    }
  }
  for (const file of [texts, numbers]) closeSync(file);
  for (const path of [corpus, vectors]) renameSync(`${path}.part`, path);
  return { textBytes, frequencies: Object.fromEntries(frequencies) };
}

/** More are never asked. */
const QUESTIONS = 400;

/** Questions with their vectors, words weighted by how rare they are in the corpus, as the library asks. */
export async function questionsOf(
  folder: string,
  input: SpeedInput,
  count: number,
): Promise<readonly SpeedQuery[]> {
  const { frequencies } = JSON.parse(
    readFileSync(join(folder, `facts-${input.chunks}.json`), "utf8"),
  ) as Facts;
  const weight = (term: string) => idf(input.chunks, frequencies[term] ?? 0);
  return Promise.all(
    speedQueries(Math.min(count, QUESTIONS)).map(async (text) => ({
      text,
      vector: [...(await embedder.embedQuery(text, { idf: weight }))],
    })),
  );
}

/** Documents of the corpus with their vectors. */
export async function* embeddedDocuments({
  corpus,
  vectors,
  dimensions,
}: SpeedInput): AsyncGenerator<EmbeddedDocument> {
  const file = openSync(vectors, "r");
  for await (const line of createInterface({ input: createReadStream(corpus) })) {
    const document = JSON.parse(line) as SpeedDocument;
    const own = document.chunks.map(() => {
      const vector = new Float32Array(dimensions);
      readSync(file, new Uint8Array(vector.buffer));
      return vector;
    });
    yield { ...document, vectors: own };
  }
  closeSync(file);
}

/** Compares every vector with every question, once for a size and number of questions. */
export async function exactLists(
  folder: string,
  input: SpeedInput,
  questions: readonly SpeedQuery[],
): Promise<ExactLists> {
  const path = join(folder, `exact-${input.chunks}-${questions.length}.json`);
  if (existsSync(path)) return JSON.parse(readFileSync(path, "utf8")) as ExactLists;
  const ids: string[] = [];
  for await (const line of createInterface({ input: createReadStream(input.corpus) })) {
    const { id, chunks } = JSON.parse(line) as SpeedDocument;
    for (let ordinal = 0; ordinal < chunks.length; ordinal++) ids.push(`${id}#${ordinal}`);
  }
  const lists = nearestOf(input, questions, ids.length);
  const named = questions.map(({ text }, i) => [
    text,
    (lists[i] ?? []).map(({ at, cosine }) => [ids[at] ?? "", cosine]),
  ]);
  writeFileSync(path, JSON.stringify(Object.fromEntries(named)));
  return JSON.parse(readFileSync(path, "utf8")) as ExactLists;
}

interface Near {
  readonly at: number;
  readonly cosine: number;
}

function nearestOf(
  { vectors, dimensions }: SpeedInput,
  questions: readonly SpeedQuery[],
  count: number,
): Near[][] {
  const file = openSync(vectors, "r");
  const block = new Float32Array(BLOCK * dimensions);
  const asked = questions.map(({ vector }) => Float32Array.from(vector));
  const lists: Near[][] = questions.map(() => []);
  for (let from = 0; from < count; from += BLOCK) {
    const size = Math.min(BLOCK, count - from);
    readSync(file, new Uint8Array(block.buffer), 0, size * dimensions * 4, from * dimensions * 4);
    for (const [i, query] of asked.entries()) {
      const list = lists[i] ?? [];
      const least = list.length < EXACT_DEPTH ? Number.NEGATIVE_INFINITY : (list.at(-1)?.cosine ?? 0);
      for (let k = 0; k < size; k++) {
        const cosine = dot(block, k * dimensions, query);
        if (cosine > least) list.push({ at: from + k, cosine });
      }
      lists[i] = list.sort((a, b) => b.cosine - a.cosine || a.at - b.at).slice(0, EXACT_DEPTH);
    }
  }
  closeSync(file);
  return lists;
}

function dot(block: Float32Array, from: number, query: Float32Array): number {
  let sum = 0;
  for (let k = 0; k < query.length; k++) sum += (block[from + k] as number) * (query[k] as number);
  return sum;
}

/** Share of the nearest `limit` that was found; a chunk as near as the last of them counts as well. */
export function recallOf(
  found: ReadonlyMap<string, readonly string[]>,
  exact: ExactLists,
  limit: number,
): number | undefined {
  let hits = 0;
  let all = 0;
  for (const [question, ids] of found) {
    const wanted = exact[question] ?? [];
    const least = (wanted[Math.min(limit, wanted.length) - 1]?.[1] ?? 0) - EPSILON;
    const near = new Set(wanted.filter(([, cosine]) => cosine >= least).map(([id]) => id));
    const most = Math.min(limit, wanted.length);
    hits += Math.min(most, ids.filter((id) => near.has(id)).length);
    all += most;
  }
  return all === 0 ? undefined : hits / all;
}
