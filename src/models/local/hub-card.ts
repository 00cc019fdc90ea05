import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { basename, join } from "node:path";
import { KonteksError } from "../../spec/index.ts";
import type { ModelCard } from "./card.ts";
import { MODEL_FILES } from "./model-files.ts";

/** Default of `windowTokens` for a model that konteks has no card of. */
const WINDOW = 256;

/**
 * A card from the files that models come with: `config.json`, and, where they are there,
 * `sentence_bert_config.json`, `1_Pooling/config.json` and `config_sentence_transformers.json` (its `prompts`).
 * Without them: mean pooling, no prefixes. A classifier with one label is a reranker. Errors: "unreadable".
 */
export async function cardFromHubFiles(folder: string): Promise<ModelCard> {
  const modelFile = MODEL_FILES.find((file) => existsSync(join(folder, file)));
  if (modelFile === undefined || !existsSync(join(folder, "tokenizer.json"))) {
    const lacks = modelFile === undefined ? "an ONNX file (onnx/model.onnx)" : "tokenizer.json";
    throw unreadable(folder, `has not got ${lacks}`);
  }
  const config = await jsonOf(folder, "config.json");
  const facts = {
    name: basename(folder),
    modelFile,
    precision: /quantized|q?u?int8/.test(modelFile) ? "int8" : "fp32",
    maxTokens: Math.min(await sentenceLimit(folder), positionsOf(config)),
  } as const;
  if (isReranker(config)) return { task: "rerank", ...facts };
  const dimensions = config.hidden_size;
  if (typeof dimensions !== "number") throw unreadable(folder, "has no config.json that names hidden_size");
  const pooling = await jsonOf(folder, "1_Pooling/config.json");
  const prompts = (await jsonOf(folder, "config_sentence_transformers.json")).prompts;
  return {
    ...facts,
    dimensions,
    pooling: pooling.pooling_mode_cls_token === true ? "cls" : "mean",
    windowTokens: Math.min(WINDOW, facts.maxTokens),
    queryPrefix: promptOf(prompts, ["query"]),
    documentPrefix: promptOf(prompts, ["document", "passage"]),
  };
}

/** "BertForSequenceClassification" with one label, as cross-encoders are saved. */
function isReranker({ architectures, id2label, num_labels }: Json): boolean {
  const labels = id2label === undefined ? num_labels : Object.keys(id2label as Json).length;
  return /ForSequenceClassification/.test(String(architectures)) && labels === 1;
}

async function sentenceLimit(folder: string): Promise<number> {
  const { max_seq_length } = await jsonOf(folder, "sentence_bert_config.json");
  return typeof max_seq_length === "number" ? max_seq_length : 512;
}

/** RoBERTa and its kin count positions from 2 on. */
function positionsOf({ max_position_embeddings, model_type }: Json): number {
  if (typeof max_position_embeddings !== "number") return 512;
  return max_position_embeddings - (/roberta/.test(String(model_type)) ? 2 : 0);
}

function promptOf(prompts: unknown, names: readonly string[]): string {
  const known = (prompts ?? {}) as Json;
  const found = names.map((name) => known[name]).find((prompt) => typeof prompt === "string");
  return typeof found === "string" ? found : "";
}

type Json = Readonly<Record<string, unknown>>;

async function jsonOf(folder: string, file: string): Promise<Json> {
  const path = join(folder, file);
  if (!existsSync(path)) return {};
  try {
    return JSON.parse(await readFile(path, "utf8")) as Json;
  } catch (cause) {
    throw unreadable(folder, `holds ${file}, which is not JSON`, cause);
  }
}

function unreadable(folder: string, what: string, cause?: unknown): KonteksError {
  const message = `The model folder "${folder}" ${what}. Give a folder in the usual layout of models in ONNX form.`;
  return new KonteksError("unreadable", message, { facts: { folder }, cause });
}
