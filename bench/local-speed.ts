import { fork } from "node:child_process";
import { readFileSync } from "node:fs";
import { availableParallelism } from "node:os";
import { fileURLToPath } from "node:url";
import { percentile } from "../src/eval/bootstrap.ts";
import { milliseconds } from "../src/eval/report/figures.ts";
import { table } from "../src/eval/report/table.ts";
import { createLocalEmbedder } from "../src/models/local/embedder.ts";
import { findModel } from "../src/models/local/folder.ts";
import type { RuntimeKind } from "../src/models/local/identity.ts";
import { availableRuntime } from "../src/models/local/runtime.ts";
import { cutToTokens } from "../src/query/rerank.ts";
import type { LocalSpeedResult, LocalSpeedTask } from "./local-speed-run.ts";
import { loadSet } from "./sets.ts";

export interface LocalSpeedOptions {
  readonly models: readonly string[];
  /** Chunks of about 250 tokens; 0: only the agreement with another implementation. */
  readonly texts: number;
  /** Ours and the runtime alone take turns so often; the best of each counts, as others only slow them down. */
  readonly rounds: number;
}

const TOKENS = 250;
const NAMES = { web: "WebAssembly", node: "onnxruntime-node" } as const;

/** Models of this machine: speed beside that of the runtime alone, and agreement with another implementation. */
export async function localSpeed(options: LocalSpeedOptions): Promise<void> {
  const runtimes: readonly RuntimeKind[] = availableRuntime() === "node" ? ["web", "node"] : ["web"];
  if (options.texts > 0) console.log(`${await speedTable(options, runtimes)}\n`);
  const agreed: (readonly string[])[] = [];
  for (const model of options.models)
    for (const runtime of runtimes) agreed.push(await agreementLine(model, runtime));
  console.log(table(["model", "runtime", "texts", "least cosine to the reference", "mean"], agreed));
}

async function speedTable(
  { models, texts, rounds }: LocalSpeedOptions,
  runtimes: readonly RuntimeKind[],
): Promise<string> {
  const input = await inputOf(texts);
  const lines: (readonly string[])[] = [];
  for (const model of models)
    for (const runtime of runtimes)
      for (const threads of threadCounts())
        lines.push(await speedLine({ model, runtime, threads }, input, rounds));
  return table(HEADER, lines);
}

function threadCounts(): readonly number[] {
  return [1, 2, 4].filter((threads) => threads <= availableParallelism());
}

type Input = Pick<LocalSpeedTask, "texts" | "first" | "queries">;
/** Texts that come before those whose time is taken. */
const FIRST = 32;

async function inputOf(count: number): Promise<Input> {
  const { documents, questions } = await loadSet("scifact");
  const texts = documents
    .map(({ text }) => cutToTokens(text, TOKENS))
    .filter((text) => text.length > 1000)
    .slice(0, FIRST + count);
  return {
    texts: texts.slice(FIRST),
    first: texts.slice(0, FIRST),
    queries: questions.slice(0, 50).map(({ text }) => text),
  };
}

const HEADER = [
  "model",
  "runtime",
  "threads",
  "chunks a second",
  "runtime alone, best",
  "share",
  "share by processor time",
  "query p50 / p95",
  "load",
  "resident",
];

interface Case {
  readonly model: string;
  readonly runtime: RuntimeKind;
  readonly threads: number;
}

async function speedLine(one: Case, input: Input, rounds: number): Promise<readonly string[]> {
  const { model, runtime, threads } = one;
  const ours: LocalSpeedResult[] = [];
  const others: { readonly name: string; readonly result: LocalSpeedResult }[] = [];
  for (let round = 0; round < rounds; round++) {
    const task = { model, runtime, ...input };
    ours.push(await inProcess({ ...task, what: "ours", workers: 1, threads, batch: 1 }));
    for (const form of formsOf(one, await precisionOf(model)))
      others.push({ name: form.name, result: await inProcess({ ...task, ...form, what: "runtime" }) });
  }
  const own = ours.toSorted((a, b) => b.chunksPerSecond - a.chunksPerSecond)[0];
  const best = others.toSorted((a, b) => b.result.chunksPerSecond - a.result.chunksPerSecond)[0];
  if (own === undefined || best === undefined) throw new Error("Nothing was measured.");
  const least = (results: readonly LocalSpeedResult[]) => Math.min(...results.map(({ cpuMs }) => cpuMs));
  const queries = ours.flatMap(({ queryMs }) => queryMs).sort((a, b) => a - b);
  const cpuShare = least(others.map(({ result }) => result)) / least(ours);
  return [
    model,
    NAMES[runtime],
    String(threads),
    own.chunksPerSecond.toFixed(1),
    `${best.result.chunksPerSecond.toFixed(1)} (${best.name})`,
    `${((100 * own.chunksPerSecond) / best.result.chunksPerSecond).toFixed(0)} %`,
    `${(100 * cpuShare).toFixed(0)} %`,
    `${milliseconds(percentile(queries, 0.5))} / ${milliseconds(percentile(queries, 0.95))} ms`,
    `${(Math.min(...ours.map(({ loadMs }) => loadMs)) / 1000).toFixed(1)} s`,
    `${Math.round(own.bytes / 1e6)} MB`,
  ];
}

interface Form extends Pick<LocalSpeedTask, "workers" | "threads" | "batch"> {
  readonly name: string;
}

/** How the runtime could be driven with so many threads; 8-bit texts share a scale in a batch, so they run by themselves. */
function formsOf({ threads }: Case, precision: string): readonly Form[] {
  const batches = precision === "int8" ? [1] : [1, 8];
  const spread = [{ workers: 1, threads }, ...(threads > 1 ? [{ workers: threads, threads: 1 }] : [])];
  return spread.flatMap((form) =>
    batches.map((batch) => ({ ...form, batch, name: `${form.workers} × ${form.threads}, batch ${batch}` })),
  );
}

async function precisionOf(model: string): Promise<string> {
  return (await findModel(model)).card.precision;
}

function inProcess(task: LocalSpeedTask): Promise<LocalSpeedResult> {
  const child = fork(fileURLToPath(new URL("./local-speed-worker.ts", import.meta.url)), {
    stdio: ["ignore", "ignore", "inherit", "ipc"],
  });
  return new Promise((resolve, reject) => {
    child.once("message", (result) => resolve(result as LocalSpeedResult));
    child.once("error", reject);
    child.once("exit", (code) => reject(new Error(`the process ended with ${code} and no result`)));
    child.send(task);
  });
}

interface Reference {
  readonly texts: readonly string[];
  readonly vectors: readonly (readonly number[])[];
}

/** Vectors of numpy in 64 bits and the tokenizers library, for the same weights in full. */
function referenceOf(model: string): Reference {
  const name = model.replace(/-fp32$/, "");
  const file = new URL(`../src/models/local/fixtures/${name}.reference.json`, import.meta.url);
  return JSON.parse(readFileSync(file, "utf8")) as Reference;
}

async function agreementLine(model: string, runtime: RuntimeKind): Promise<readonly string[]> {
  const { texts, vectors } = referenceOf(model);
  const embedder = await createLocalEmbedder(`local:${model}`, { runtime, localThreads: 1 });
  const own = await embedder.embedDocuments(texts);
  await embedder.close();
  const cosines = vectors.map((vector, i) => cosine(vector, own[i]));
  const mean = cosines.reduce((sum, value) => sum + value, 0) / cosines.length;
  return [model, NAMES[runtime], String(texts.length), Math.min(...cosines).toFixed(5), mean.toFixed(5)];
}

function cosine(a: readonly number[], b: Float32Array | undefined): number {
  let [dot, aa, bb] = [0, 0, 0];
  a.forEach((x, i) => {
    const y = b?.[i] ?? Number.NaN;
    dot += x * y;
    aa += x * x;
    bb += y * y;
  });
  return dot / Math.sqrt(aa * bb);
}
