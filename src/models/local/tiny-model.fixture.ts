import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { bertGraph } from "../../../scripts/model/bert.ts";
import { encodeModel } from "../../../scripts/model/onnx.ts";
import type { Weight } from "../../../scripts/model/weights.ts";
import type { EmbeddingCard } from "./card.ts";

export const TINY_WORDS = [
  "[PAD]",
  "[UNK]",
  "[CLS]",
  "[SEP]",
  "the",
  "notice",
  "period",
  "is",
  "three",
  "months",
  "cat",
  "sat",
];
const [HIDDEN, WIDE, POSITIONS] = [8, 16, 64];

export const TINY: EmbeddingCard = {
  name: "tiny",
  modelFile: "onnx/model.onnx",
  precision: "fp32",
  dimensions: HIDDEN,
  pooling: "mean",
  maxTokens: POSITIONS,
  windowTokens: 16,
  queryPrefix: "",
  documentPrefix: "",
};

/** A whole encoder, real in all but its size and its weights: one layer of 8 dimensions over twelve words. */
export async function writeTinyModel(folder: string, precision: "fp32" | "int8" = "fp32"): Promise<void> {
  const graph = bertGraph({ layers: 1, heads: 2, hidden: HIDDEN, get: tinyWeight }, precision);
  await mkdir(join(folder, "onnx"), { recursive: true });
  await writeFile(join(folder, "onnx", "model.onnx"), Buffer.concat(encodeModel(graph)));
  await writeFile(join(folder, "tokenizer.json"), JSON.stringify(tinyTokenizer()));
  await writeFile(
    join(folder, "tokenizer_config.json"),
    JSON.stringify({ tokenizer_class: "BertTokenizer" }),
  );
  const config = { model_type: "bert", hidden_size: HIDDEN, max_position_embeddings: POSITIONS };
  await writeFile(join(folder, "config.json"), JSON.stringify(config));
}

/** A whole-word tokenizer in the form that models are saved with. */
export function tinyTokenizer(): object {
  return {
    version: "1.0",
    // As saved ones often do; the runtime must not follow it.
    truncation: { direction: "Right", max_length: 4, strategy: "LongestFirst", stride: 0 },
    padding: null,
    added_tokens: [0, 1, 2, 3].map((id) => ({
      id,
      content: TINY_WORDS[id],
      special: true,
      normalized: false,
    })),
    normalizer: { type: "Lowercase" },
    pre_tokenizer: { type: "Whitespace" },
    post_processor: {
      type: "TemplateProcessing",
      single: [
        { SpecialToken: { id: "[CLS]", type_id: 0 } },
        { Sequence: { id: "A", type_id: 0 } },
        { SpecialToken: { id: "[SEP]", type_id: 0 } },
      ],
      pair: [
        { SpecialToken: { id: "[CLS]", type_id: 0 } },
        { Sequence: { id: "A", type_id: 0 } },
        { SpecialToken: { id: "[SEP]", type_id: 0 } },
        { Sequence: { id: "B", type_id: 1 } },
        { SpecialToken: { id: "[SEP]", type_id: 1 } },
      ],
      special_tokens: {
        "[CLS]": { id: "[CLS]", ids: [2], tokens: ["[CLS]"] },
        "[SEP]": { id: "[SEP]", ids: [3], tokens: ["[SEP]"] },
      },
    },
    decoder: null,
    model: {
      type: "WordPiece",
      unk_token: "[UNK]",
      continuing_subword_prefix: "##",
      max_input_chars_per_word: 100,
      vocab: Object.fromEntries(TINY_WORDS.map((word, id) => [word, id])),
    },
  };
}

function tinyWeight(name: string): Weight {
  const dims = dimsOf(name);
  const random = randomFrom(name);
  const data = Float32Array.from({ length: dims.reduce((a, b) => a * b) }, () =>
    name.endsWith("LayerNorm.weight") ? 1 : random() - 0.5,
  );
  return { dims, data };
}

function dimsOf(name: string): readonly number[] {
  if (name.includes("word_embeddings")) return [TINY_WORDS.length, HIDDEN];
  if (name.includes("position_embeddings")) return [POSITIONS, HIDDEN];
  if (name.includes("token_type")) return [2, HIDDEN];
  if (name.endsWith("intermediate.dense.weight")) return [WIDE, HIDDEN];
  if (name.endsWith("intermediate.dense.bias")) return [WIDE];
  if (/layer\.\d+\.output\.dense\.weight$/.test(name)) return [HIDDEN, WIDE];
  return name.endsWith("bias") || name.includes("LayerNorm") ? [HIDDEN] : [HIDDEN, HIDDEN];
}

/** The same numbers for the same name. Multiplicative congruential generator, Park and Miller 1988. */
function randomFrom(name: string): () => number {
  let state = [...name].reduce((sum, character) => (sum * 31 + character.charCodeAt(0)) % 2147483647, 7);
  return () => {
    state = (state * 48271) % 2147483647;
    return state / 2147483647;
  };
}
