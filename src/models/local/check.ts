import { KonteksError } from "../../spec/index.ts";
import { createLocalEmbedder, type LocalEmbedderOptions } from "./embedder.ts";
import { findModel } from "./folder.ts";
import { filesOf } from "./install.ts";

/** What a model did on this machine. */
export interface ModelCheck {
  readonly id: string;
  readonly folder: string;
  /** Files whose hashes were compared; 0 for a folder that konteks did not make. */
  readonly filesChecked: number;
  /** From nothing to the first vector. */
  readonly loadMs: number;
  /** Median of several queries. */
  readonly queryMs: number;
  /** Texts of about 100 words a second, all threads. */
  readonly textsPerSecond: number;
  /** Cosine of a question with its answer, and with something else. */
  readonly relevant: number;
  readonly irrelevant: number;
}

const QUESTION = "How long is the notice period?";
const ANSWER = "Either party may end the contract with three months' notice to the end of a quarter.";
const OTHER = "The harbour was full of ships, and gulls circled above the fish market.";
const LONG = `${ANSWER} `.repeat(6);
const RUNS = 8;

/**
 * Checks a model's files, loads it and lets it embed. Errors: "unknown-model", "unreadable" (a file is not what was
 * pulled), "embedding-failed" (it runs, but takes a sentence about ships for the nearer answer).
 */
export async function checkModel(name: string, options: LocalEmbedderOptions = {}): Promise<ModelCheck> {
  const { folder, manifest } = await findModel(name, options.env);
  if (manifest !== undefined) refuseChanged(name, manifest.files, await filesOf(folder));
  const embedder = await createLocalEmbedder(`local:${name}`, options);
  try {
    const begun = performance.now();
    const question = await embedder.embedQuery(QUESTION);
    const loadMs = performance.now() - begun;
    const [answer, other] = await embedder.embedDocuments([ANSWER, OTHER]);
    const [relevant, irrelevant] = [dot(question, answer), dot(question, other)];
    if (!(relevant > irrelevant)) throw unfit(name, relevant, irrelevant);
    const queryMs = await median(async (i) => embedder.embedQuery(`${QUESTION} ${i}`));
    const embedding = performance.now();
    await embedder.embedDocuments(Array.from({ length: RUNS }, (_, i) => `${i} ${LONG}`));
    const textsPerSecond = RUNS / ((performance.now() - embedding) / 1000);
    const filesChecked = Object.keys(manifest?.files ?? {}).length;
    return { id: embedder.id, folder, filesChecked, loadMs, queryMs, textsPerSecond, relevant, irrelevant };
  } finally {
    await embedder.close();
  }
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
    "embedding-failed",
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
