import { KonteksError } from "../../spec/index.ts";

/** The usual places of a model file, the smallest first. */
export const MODEL_FILES: readonly string[] = [
  "onnx/model_quantized.onnx",
  "onnx/model_int8.onnx",
  "model_quantized.onnx",
  "onnx/model.onnx",
  "model.onnx",
];

const NEEDED = ["tokenizer.json", "config.json"];
/** Taken along when they are there. */
const USEFUL = [
  "tokenizer_config.json",
  "sentence_bert_config.json",
  "config_sentence_transformers.json",
  "1_Pooling/config.json",
  "konteks-model.json",
  "README.md",
  "LICENSE",
  "LICENSE.txt",
];

/** Licences of what a model was made of. */
const LICENCES = /^licences\/[\w.-]+\.txt$/;

/**
 * Which of a source's files make up a model: its ONNX file (`preferred`, else the smallest usual one), the tokenizer, and
 * what describes it. Other paths are never written. Errors: "unreadable" when something is missing.
 */
export function chosenFiles(
  paths: readonly string[],
  source: string,
  preferred?: string,
): { readonly modelFile: string; readonly files: readonly string[] } {
  const candidates = preferred === undefined ? MODEL_FILES : [preferred, ...MODEL_FILES];
  const modelFile = candidates.find((file) => paths.includes(file));
  const missing = modelFile === undefined ? "onnx/model.onnx" : NEEDED.find((file) => !paths.includes(file));
  if (modelFile === undefined || missing !== undefined) {
    throw new KonteksError(
      "unreadable",
      `${source} is not a model in the usual ONNX layout: it has no ${missing}. Choose one that has been exported to ONNX.`,
      { facts: { source, missing } },
    );
  }
  // Weights of large models stand in a file of their own.
  const wanted = [modelFile, `${modelFile}_data`, ...NEEDED, ...USEFUL];
  return { modelFile, files: paths.filter((path) => wanted.includes(path) || LICENCES.test(path)) };
}
