import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { ModelCard } from "./card.ts";
import type { RuntimeKind } from "./identity.ts";
import { pool } from "./pool.ts";
import { loadRuntime, loadTokenizerClass, type OnnxRuntime, type OnnxSession } from "./runtime.ts";

export interface ModelSessionOptions {
  readonly folder: string;
  readonly card: ModelCard;
  readonly runtime: RuntimeKind;
  /** Threads of one run. Default 1. */
  readonly threads?: number | undefined;
}

/** A loaded model. */
export interface ModelSession {
  /** Texts with their prefixes, as one batch; unit vectors in order. */
  embed(texts: readonly string[]): Promise<readonly Float32Array[]>;
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
    embed: async (texts) => pool(...(await run(runtime, session, texts.map(encode))), card.pooling),
  };
}

/** Token ids of a text; a text that is too long loses its end, not its closing token. */
async function loadEncoder(folder: string, maxTokens: number): Promise<(text: string) => readonly number[]> {
  const Tokenizer = await loadTokenizerClass();
  const [tokenizer, config] = await Promise.all([
    readJson(join(folder, "tokenizer.json")),
    readJson(join(folder, "tokenizer_config.json")).catch(() => ({})),
  ]);
  // Cutting and padding are done here: a saved tokenizer often pads every text to the same length.
  const made = new Tokenizer({ ...tokenizer, truncation: null, padding: null }, config);
  return (text) => {
    const { ids } = made.encode(text);
    return ids.length <= maxTokens ? ids : [...ids.slice(0, maxTokens - 1), ids[ids.length - 1] ?? 0];
  };
}

async function readJson(path: string): Promise<object> {
  return JSON.parse(await readFile(path, "utf8")) as object;
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

async function run(
  runtime: OnnxRuntime,
  session: OnnxSession,
  rows: readonly (readonly number[])[],
): Promise<[output: Float32Array, shape: readonly number[], lengths: readonly number[]]> {
  const width = Math.max(...rows.map((row) => row.length));
  const [ids, mask] = [new BigInt64Array(rows.length * width), new BigInt64Array(rows.length * width)];
  rows.forEach((row, r) => {
    row.forEach((id, at) => {
      ids[r * width + at] = BigInt(id);
      mask[r * width + at] = 1n;
    });
  });
  const dims = [rows.length, width];
  const inputs: Readonly<Record<string, BigInt64Array>> = {
    input_ids: ids,
    attention_mask: mask,
    token_type_ids: new BigInt64Array(ids.length),
  };
  const wanted = session.inputNames.flatMap((name) => {
    const data = inputs[name];
    return data === undefined ? [] : [[name, new runtime.Tensor("int64", data, dims)] as const];
  });
  const outputs = await session.run(Object.fromEntries(wanted));
  const output = outputs.last_hidden_state ?? outputs[session.outputNames[0] ?? ""];
  if (!(output?.data instanceof Float32Array)) throw new TypeError("the model gave no token vectors");
  return [output.data, output.dims, rows.map((row) => row.length)];
}
