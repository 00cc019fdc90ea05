import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { encodeModel, type OnnxGraph } from "../../../scripts/model/onnx.ts";
import { TINY_WORDS, tinyTokenizer } from "./tiny-model.fixture.ts";

/** Tokens of the tiny reranker, special ones included. */
export const TINY_RERANKER_TOKENS = 24;

/**
 * A cross-encoder small enough to be written by hand: its logit is the number of pairs of equal words in query and text,
 * less three; "reversed" prefers what has none. Which tokens belong to which text it learns from the token types alone, as a real one does.
 */
export async function writeTinyReranker(
  folder: string,
  order: "right" | "reversed" = "right",
): Promise<void> {
  await mkdir(join(folder, "onnx"), { recursive: true });
  await writeFile(join(folder, "onnx", "model.onnx"), Buffer.concat(encodeModel(overlapGraph(order))));
  await writeFile(join(folder, "tokenizer.json"), JSON.stringify(tinyTokenizer()));
  await writeFile(
    join(folder, "tokenizer_config.json"),
    JSON.stringify({ tokenizer_class: "BertTokenizer" }),
  );
  const config = {
    model_type: "bert",
    architectures: ["BertForSequenceClassification"],
    id2label: { 0: "LABEL_0" },
    max_position_embeddings: TINY_RERANKER_TOKENS,
  };
  await writeFile(join(folder, "config.json"), JSON.stringify(config));
}

function overlapGraph(order: "right" | "reversed"): OnnxGraph {
  const size = TINY_WORDS.length;
  // A row for each token with a 1 in its own column; special tokens have none.
  const oneHot = Float32Array.from({ length: size * size }, (_, i) =>
    i % size === Math.floor(i / size) && i >= 4 * size ? 1 : 0,
  );
  const node = (op: string, inputs: string[], output: string, attributes = {}) => ({
    op,
    inputs,
    outputs: [output],
    attributes,
  });
  const lengths = ["batch", "tokens"];
  return {
    tensors: [
      { name: "words", dims: [size, size], data: oneHot },
      { name: "one", dims: [], data: Float32Array.of(1) },
      { name: "three", dims: [], data: Float32Array.of(3) },
      { name: "last", dims: [1], data: BigInt64Array.of(-1n) },
      { name: "tokens_axis", dims: [1], data: BigInt64Array.of(1n) },
    ],
    nodes: [
      node("Gather", ["words", "input_ids"], "rows"),
      node("Cast", ["token_type_ids"], "types", { to: { int: 1 } }),
      node("Unsqueeze", ["types", "last"], "of_text"),
      node("Sub", ["one", "of_text"], "of_query"),
      node("Mul", ["rows", "of_text"], "text_rows"),
      node("Mul", ["rows", "of_query"], "query_rows"),
      node("ReduceSum", ["text_rows", "tokens_axis"], "text", { keepdims: { int: 0 } }),
      node("ReduceSum", ["query_rows", "tokens_axis"], "query", { keepdims: { int: 0 } }),
      node("Mul", ["text", "query"], "shared"),
      node("ReduceSum", ["shared", "last"], "count", { keepdims: { int: 1 } }),
      node("Sub", order === "right" ? ["count", "three"] : ["three", "count"], "logits"),
    ],
    inputs: ["input_ids", "attention_mask", "token_type_ids"].map((name) => ({
      name,
      type: "int64" as const,
      dims: lengths,
    })),
    outputs: [{ name: "logits", type: "float", dims: ["batch", 1] }],
  };
}
