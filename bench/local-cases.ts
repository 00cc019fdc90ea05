import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { buildIndex, workbench } from "../src/eval/build.ts";
import { finds } from "../src/eval/judge.ts";
import { shuffled } from "../src/eval/random.ts";
import type { EvaluationSet, Question } from "../src/eval/types.ts";
import { FEATURES, featuresOf } from "../src/models/rerank/features.ts";
import { openKonteks } from "../src/open.ts";
import { UNKNOWN_WEIGHT, VECTOR_WEIGHT } from "../src/query/options.ts";
import type { Konteks, Reranker, RerankRequest, SearchResult } from "../src/spec/index.ts";
import { exactTerms } from "../src/text/exact-terms.ts";
import { isFunctionWord } from "../src/text/lexical-share.ts";
import { loadSet, publishedChunks } from "./sets.ts";

/** `codebases` again in its published chunks, with the contexts that a model wrote for them. */
export const PUBLISHED = "codebases, published chunks";

/** A chunk that one of a question's two lists holds, with what orders can be made of. */
export interface LocalCandidate {
  readonly textRank?: number | undefined;
  readonly text?: number | undefined;
  readonly vectorRank?: number | undefined;
  readonly vector?: number | undefined;
  /** What the built-in reranker sees in its words. */
  readonly together: number;
  /** Gold passages that it finds, by number. */
  readonly finds: readonly number[];
}

/** A question with both of its lists; every fusion can be computed from it. */
export interface LocalCase {
  readonly id: string;
  readonly gold: number;
  /** Less than half of the question's words stand in the chunk that answers it. */
  readonly low: boolean;
  /** Share of the question's content words that stand nowhere in the index. */
  readonly unknown: number;
  /** So many candidates stand first whatever their scores: they hold an identifier or a phrase that was asked for. */
  readonly pinned: number;
  readonly candidates: readonly LocalCandidate[];
  /** Finds of the first 20 hits of the default search over the same chunks with the lexical embedding. */
  readonly lexical: readonly (readonly number[])[];
}

export interface LocalSet {
  readonly set: string;
  readonly embedding: string;
  readonly chunks: number;
  /** Milliseconds of a default search, the model loaded. */
  readonly times: readonly number[];
  readonly cases: readonly LocalCase[];
}

export interface LocalTask {
  readonly set: string;
  readonly embedding: string;
  /** At most so many questions, drawn with a fixed seed. */
  readonly questions: number;
  /** Documents of at most so many characters: those that questions are about, and others drawn with a fixed seed. */
  readonly characters: number;
}

const SEED = 9;
const DEPTH = 150;

/** Where a set's vectors are kept, so that a run that was stopped goes on where it was. */
export function folderOf({ set, embedding }: Pick<LocalTask, "set" | "embedding">): string {
  return join(".bench", "local", `${set}.${embedding.replace(/\W+/g, "-")}`);
}

/** Indexes a set twice, with the lexical embedding and with the model, and asks its questions. */
export async function lookAt(task: LocalTask): Promise<LocalSet> {
  const set = await evaluationSet(task);
  const folder = folderOf(task);
  await mkdir(folder, { recursive: true });
  await using bench = await workbench(openKonteks, folder);
  const lexical = await lexicalHits(bench, set);
  await using built = await buildIndex(bench, set, { embedding: task.embedding });
  const { konteks, facts } = built;
  const lowOf = overlapReader(konteks);
  const cases: LocalCase[] = [];
  const times: number[] = [];
  for (const [i, question] of set.questions.entries()) {
    const begun = performance.now();
    await konteks.search(question.text);
    times.push(performance.now() - begun);
    const { id } = question;
    const lists = await listsOf(konteks, question);
    const low = (await lowOf(question)) < 0.5;
    cases.push({ id, gold: question.gold.length, low, ...lists, lexical: lexical[i] ?? [] });
  }
  return { set: task.set, embedding: task.embedding, chunks: facts.chunks, times, cases };
}

async function evaluationSet({ set: name, ...most }: LocalTask): Promise<EvaluationSet> {
  const set = await loadSet(name === PUBLISHED ? "codebases" : name);
  const all = shuffled(
    set.questions.filter(({ gold }) => gold.length > 0),
    SEED,
  );
  const questions = fitting(set, all, most.characters).slice(0, most.questions);
  if (name !== PUBLISHED) return { ...set, questions, documents: drawn(set, questions, most.characters) };
  const given = await publishedChunks();
  const documents = set.documents.map((document) => ({ ...document, chunks: given.get(document.id) ?? [] }));
  return { ...set, documents, questions };
}

/** As many questions, in their order, as have their documents within the limit. */
function fitting(
  { documents }: EvaluationSet,
  questions: readonly Question[],
  characters: number,
): readonly Question[] {
  const lengths = new Map(documents.map(({ id, text }) => [id, text.length]));
  const taken = new Set<string>();
  let room = characters;
  return questions.filter(({ gold }) => {
    const ids = new Set(gold.map(({ documentId }) => documentId).filter((id) => !taken.has(id)));
    const needed = [...ids].reduce((sum, id) => sum + (lengths.get(id) ?? 0), 0);
    if (needed > room) return false;
    room -= needed;
    for (const id of ids) taken.add(id);
    return true;
  });
}

/** As many documents as fit; the first that does not ends it. */
function drawn(
  { documents }: EvaluationSet,
  questions: readonly Question[],
  characters: number,
): EvaluationSet["documents"] {
  const wanted = new Set(questions.flatMap(({ gold }) => gold.map(({ documentId }) => documentId)));
  const needed = documents.filter(({ id }) => wanted.has(id));
  const others = documents.filter(({ id }) => !wanted.has(id));
  let room = characters;
  const kept = [...needed, ...shuffled(others, SEED)].filter(({ id, text }) => {
    room -= text.length;
    return room >= 0 || wanted.has(id);
  });
  // In the order they came in: chunks of equal score keep theirs.
  return documents.filter((document) => kept.includes(document));
}

async function lexicalHits(
  bench: Parameters<typeof buildIndex>[0],
  set: EvaluationSet,
): Promise<readonly LocalCase["lexical"][]> {
  await using built = await buildIndex(bench, set, { embedding: "lexical" });
  const all: LocalCase["lexical"][] = [];
  for (const { text, gold } of set.questions) {
    const { hits } = await built.konteks.search(text, { k: 20 });
    all.push(hits.map((hit) => goldOf(hit, gold)));
  }
  return all;
}

/** One search brings both lists: a reranker that changes nothing is handed all that the fusion was made of. */
async function listsOf(
  konteks: Konteks,
  { text, gold }: Question,
): Promise<Pick<LocalCase, "unknown" | "pinned" | "candidates">> {
  let candidates: readonly LocalCandidate[] = [];
  const model = watcher((request) => {
    candidates = toCandidates(request, gold);
  });
  const rerank = { model, depth: 4 * DEPTH, timeoutMs: 60_000 };
  const { trace } = await konteks.search(text, { k: 1, candidates: DEPTH, rerank });
  return { unknown: unknownIn(trace), pinned: pinnedIn(trace), candidates };
}

function watcher(see: (request: RerankRequest) => void): Reranker {
  return {
    id: "watcher",
    kind: "local",
    maxTokens: Number.POSITIVE_INFINITY,
    rerank: async (request) => {
      see(request);
      return [];
    },
  };
}

function pinnedIn(trace: SearchResult["trace"]): number {
  return Number(trace.find(({ stage }) => stage === "must match")?.facts.found ?? 0);
}

/** The share that the weight of the vector list followed; 0 where a list was empty. */
function unknownIn(trace: SearchResult["trace"]): number {
  const weights = trace.find(({ stage }) => stage === "fuse")?.facts.weights as
    | Record<string, number>
    | undefined;
  return weights?.vector === undefined ? 0 : (weights.vector - VECTOR_WEIGHT.local) / UNKNOWN_WEIGHT;
}

const TOGETHER = FEATURES.indexOf("words together");

function toCandidates(request: RerankRequest, gold: Question["gold"]): readonly LocalCandidate[] {
  const features = featuresOf(request);
  return request.candidates.map(({ scores, ranks, stored: { chunk } }, i) => ({
    textRank: ranks.text,
    text: rounded(scores.text, 5),
    vectorRank: ranks.vector,
    vector: rounded(scores.vector, 7),
    together: rounded(features[i]?.[TOGETHER], 4) ?? 0,
    finds: goldOf(chunk, gold),
  }));
}

function rounded(value: number | undefined, digits: number): number | undefined {
  return value === undefined ? undefined : Number(value.toPrecision(digits));
}

function goldOf(place: Parameters<typeof finds>[0], gold: Question["gold"]): readonly number[] {
  return gold.flatMap((passage, i) => (finds(place, passage) ? [i] : []));
}

/** Share of a question's words that stand in a chunk that finds its gold passage; the highest, where there are several. */
function overlapReader(konteks: Konteks): (question: Question) => Promise<number> {
  const chunks = new Map<string, ReturnType<Konteks["chunks"]>>();
  const chunksOf = (id: string) => {
    const known = chunks.get(id) ?? konteks.chunks(id);
    chunks.set(id, known);
    return known;
  };
  return async ({ text, gold }) => {
    const words = exactTerms(text).filter((word) => !isFunctionWord(word));
    let most = 0;
    for (const passage of gold) {
      const all = await chunksOf(passage.documentId);
      for (const { chunk } of all.filter((stored) => finds(stored.chunk, passage))) {
        const held = new Set(exactTerms(chunk.text));
        const share = words.filter((word) => held.has(word)).length / Math.max(1, words.length);
        most = Math.max(most, share);
      }
    }
    return most;
  };
}
