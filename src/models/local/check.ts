import { KonteksError } from "../../spec/index.ts";
import { createLocalEmbedder } from "./embedder.ts";
import { findModel } from "./folder.ts";
import { filesOf } from "./install.ts";
import type { LocalModelOptions } from "./plan.ts";
import { createLocalReranker } from "./reranker.ts";

/** What a model did on this machine. */
export interface ModelCheck {
  readonly id: string;
  readonly task: "embed" | "rerank";
  readonly folder: string;
  /** Files whose hashes were compared; 0 for a folder that konteks did not make. */
  readonly filesChecked: number;
  /** From nothing to the first result. */
  readonly loadMs: number;
  /** Median of several queries; of a reranker, of one pair. */
  readonly queryMs: number;
  /** Texts of about 100 words a second, all threads; of a reranker, with a query each. */
  readonly textsPerSecond: number;
  /** How near an answer is to its question, and something else to it: cosine, or the reranker's score. */
  readonly relevant: number;
  readonly irrelevant: number;
}

const QUESTION = "How long is the notice period?";
const ANSWER = "Either party may end the contract with three months' notice to the end of a quarter.";
const OTHER = "The harbour was full of ships, and gulls circled above the fish market.";
const LONG = `${ANSWER} `.repeat(6);
const RUNS = 8;

/**
 * Checks a model's files, loads it and lets it work. Errors: "unknown-model", "unreadable" (a file is not what was
 * pulled), "model-failed" (it runs, but takes a sentence about ships for the nearer answer).
 */
export async function checkModel(name: string, options: LocalModelOptions = {}): Promise<ModelCheck> {
  const { folder, card, manifest } = await findModel(name, options.env);
  if (manifest !== undefined) refuseChanged(name, manifest.files, await filesOf(folder));
  const { id, rate, close } = await raterOf(name, card.task ?? "embed", options);
  try {
    const begun = performance.now();
    const [relevant = Number.NaN, irrelevant = Number.NaN] = await rate(QUESTION, [ANSWER, OTHER]);
    const loadMs = performance.now() - begun;
    if (!(relevant > irrelevant)) throw unfit(name, relevant, irrelevant);
    const queryMs = await median((i) => rate(`${QUESTION} ${i}`, []));
    const working = performance.now();
    await rate(
      QUESTION,
      Array.from({ length: RUNS }, (_, i) => `${i} ${LONG}`),
    );
    const textsPerSecond = RUNS / ((performance.now() - working) / 1000);
    const filesChecked = Object.keys(manifest?.files ?? {}).length;
    const task = card.task ?? "embed";
    return { id, task, folder, filesChecked, loadMs, queryMs, textsPerSecond, relevant, irrelevant };
  } finally {
    await close();
  }
}

/** A model that says how near texts are to a question. */
interface Rater {
  readonly id: string;
  rate(question: string, texts: readonly string[]): Promise<readonly number[]>;
  close(): Promise<void>;
}

async function raterOf(name: string, task: ModelCheck["task"], options: LocalModelOptions): Promise<Rater> {
  if (task === "embed") {
    const { id, embedQuery, embedDocuments, close } = await createLocalEmbedder(`local:${name}`, options);
    const rate: Rater["rate"] = async (question, texts) => {
      const wanted = await embedQuery(question);
      return (await embedDocuments(texts)).map((vector) => dot(wanted, vector));
    };
    return { id, rate, close };
  }
  const { id, scoresOf, close } = await createLocalReranker(`local:${name}`, options);
  // A query by itself is no work for a cross-encoder; one short pair is.
  return { id, rate: (question, texts) => scoresOf(question, texts.length > 0 ? texts : [ANSWER]), close };
}

type Files = Readonly<Record<string, { readonly sha256: string }>>;

function refuseChanged(name: string, expected: Files, found: Files): void {
  const changed = Object.keys(expected).find((path) => found[path]?.sha256 !== expected[path]?.sha256);
  if (changed === undefined) return;
  throw new KonteksError(
    "unreadable",
    `${changed} of the model ${name} is ${changed in found ? "not what was pulled" : "gone"}. Get it again: konteks models pull ${name}`,
    { facts: { name, file: changed } },
  );
}

function unfit(name: string, relevant: number, irrelevant: number): KonteksError {
  return new KonteksError(
    "model-failed",
    `The model ${name} runs, but takes the wrong passage for the answer (${relevant.toFixed(3)} against ${irrelevant.toFixed(3)}). Its card may be wrong; use another model.`,
    { facts: { name, relevant, irrelevant } },
  );
}

function dot(a: Float32Array, b: Float32Array | undefined): number {
  return a.reduce((sum, value, index) => sum + value * (b?.[index] ?? Number.NaN), 0);
}

async function median(work: (run: number) => Promise<unknown>): Promise<number> {
  const times: number[] = [];
  for (let run = 0; run < RUNS; run++) {
    const begun = performance.now();
    await work(run);
    times.push(performance.now() - begun);
  }
  return times.sort((a, b) => a - b)[RUNS / 2] ?? 0;
}
