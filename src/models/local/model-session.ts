import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { ModelCard } from "./card.ts";
import { type Encoded, loadEncoder, type ModelInput } from "./encode.ts";
import type { RuntimeKind } from "./identity.ts";
import { pool } from "./pool.ts";
import { loadRuntime, type OnnxRuntime, type OnnxSession } from "./runtime.ts";

export interface ModelSessionOptions {
  readonly folder: string;
  readonly card: ModelCard;
  readonly runtime: RuntimeKind;
  /** Threads of one run. Default 1. */
  readonly threads?: number | undefined;
}

/** A loaded model. */
export interface ModelSession {
  /** Inputs as one batch; for each, in order, a unit vector, or from a cross-encoder one number between 0 and 1. */
  run(inputs: readonly ModelInput[]): Promise<readonly Float32Array[]>;
}

/** Loads tokenizer and model: seconds, and several times the size of its file in memory. */
export async function createModelSession(options: ModelSessionOptions): Promise<ModelSession> {
  const { card } = options;
  const [encode, runtime] = await Promise.all([
    loadEncoder(options.folder, card.maxTokens),
    loadRuntime(options.runtime),
  ]);
  const session = await openSession(runtime, options);
  return {
    async run(inputs) {
      const rows = inputs.map(encode);
      const { data, dims } = await infer(runtime, session, rows);
      if (card.task === "rerank") return relevances(data, dims, rows.length);
      const lengths = rows.map(({ ids }) => ids.length);
      return pool(data, dims, lengths, card.pooling);
    },
  };
}

async function openSession(
  runtime: OnnxRuntime,
  { folder, card, runtime: kind, threads = 1 }: ModelSessionOptions,
): Promise<OnnxSession> {
  const path = join(folder, card.modelFile);
  runtime.env.logLevel = "fatal";
  if (kind === "node") return runtime.InferenceSession.create(path, { intraOpNumThreads: threads });
  runtime.env.wasm.numThreads = threads;
  return runtime.InferenceSession.create(await readFile(path), { executionProviders: ["wasm"] });
}

async function infer(
  runtime: OnnxRuntime,
  session: OnnxSession,
  rows: readonly Encoded[],
): Promise<{ readonly data: Float32Array; readonly dims: readonly number[] }> {
  const width = Math.max(...rows.map(({ ids }) => ids.length));
  const empty = () => new BigInt64Array(rows.length * width);
  const inputs = { input_ids: empty(), attention_mask: empty(), token_type_ids: empty() };
  rows.forEach(({ ids, types }, r) => {
    ids.forEach((id, at) => {
      inputs.input_ids[r * width + at] = BigInt(id);
      inputs.attention_mask[r * width + at] = 1n;
      inputs.token_type_ids[r * width + at] = BigInt(types[at] ?? 0);
    });
  });
  const wanted = Object.entries(inputs).filter(([name]) => session.inputNames.includes(name));
  const feeds = wanted.map(([name, data]) => [name, new runtime.Tensor("int64", data, [rows.length, width])]);
  const outputs = await session.run(Object.fromEntries(feeds));
  const output = outputs.last_hidden_state ?? outputs.logits ?? outputs[session.outputNames[0] ?? ""];
  if (!(output?.data instanceof Float32Array)) throw new TypeError("the model gave no numbers");
  return { data: output.data, dims: output.dims };
}

/** One logit a pair, as a number between 0 and 1 (logistic function), as cross-encoders are trained to be read. */
function relevances(data: Float32Array, dims: readonly number[], pairs: number): readonly Float32Array[] {
  if (data.length !== pairs)
    throw new TypeError(`the model gave numbers of the shape [${dims}]; a reranker gives one for each pair`);
  return Array.from(data, (logit) => Float32Array.of(1 / (1 + Math.exp(-logit))));
}
