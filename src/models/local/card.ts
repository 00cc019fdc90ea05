/** What is to be known of any model to run it. */
interface ModelFacts {
  /** Also the folder's name, e.g. "multilingual-e5-small". */
  readonly name: string;
  /** Path of the ONNX file within the folder. */
  readonly modelFile: string;
  /** How its weights are kept; 8-bit results differ a little from one runtime to another. */
  readonly precision: "fp32" | "int8";
  /** Most tokens it reads, with the special ones. */
  readonly maxTokens: number;
}

/** How to embed with a model as its makers do. Everything here changes vectors, so all of it is part of the index identity. */
export interface EmbeddingCard extends ModelFacts {
  readonly task?: "embed" | undefined;
  readonly dimensions: number;
  /** How token vectors become one: their mean, or the first one's. */
  readonly pooling: "mean" | "cls";
  /** Longer texts are embedded in windows of so many tokens, and the best window counts. */
  readonly windowTokens: number;
  /** Put before a query. */
  readonly queryPrefix: string;
  /** Put before a document's text. */
  readonly documentPrefix: string;
}

/** A cross-encoder: it reads a query and a text together and gives one number. */
export interface RerankCard extends ModelFacts {
  readonly task: "rerank";
}

export type ModelCard = EmbeddingCard | RerankCard;

/** A model that `konteks models pull` knows by name. */
export type KnownModel = ModelCard & KnownFacts;

interface KnownFacts {
  /** Repository on the model hub, in its usual ONNX layout. */
  readonly repo: string;
  readonly licence: string;
  readonly languages: string;
  /** Size of the download, bytes; about. */
  readonly bytes: number;
  readonly about: string;
  /** What it brought in a measurement (docs/decisions/0009-local-models.md), in a few words. */
  readonly gain?: string | undefined;
}

/** The model that "local" means. */
export const DEFAULT_LOCAL_MODEL = "multilingual-e5-small";

const small = {
  modelFile: "onnx/model_quantized.onnx",
  precision: "int8",
  dimensions: 384,
  maxTokens: 512,
  // Longer windows blur: with 256 tokens the best window beats the mean of all and a cut-off text.
  windowTokens: 256,
} as const;
const searchInstruction = "Represent this sentence for searching relevant passages: ";

/** Prefixes, pooling and limits from each model's own card. */
export const KNOWN_MODELS: readonly KnownModel[] = [
  {
    ...small,
    name: DEFAULT_LOCAL_MODEL,
    repo: "Xenova/multilingual-e5-small",
    licence: "MIT",
    languages: "about 100",
    bytes: 135e6,
    about: "the default: many languages, questions in other words than the text",
    gain: "nDCG@10 1.8 points above keywords alone in the mean over nine sets, 6.2 for questions in other words",
    pooling: "mean",
    queryPrefix: "query: ",
    documentPrefix: "passage: ",
  },
  {
    ...small,
    name: "all-MiniLM-L6-v2",
    repo: "Xenova/all-MiniLM-L6-v2",
    licence: "Apache-2.0",
    languages: "English",
    bytes: 24e6,
    about: "small and fast",
    gain: "nDCG@10 1.7 points above keywords alone in the mean over four English sets",
    pooling: "mean",
    queryPrefix: "",
    documentPrefix: "",
  },
  {
    ...small,
    name: "bge-small-en-v1.5",
    repo: "Xenova/bge-small-en-v1.5",
    licence: "MIT",
    languages: "English",
    bytes: 35e6,
    about: "made for search",
    gain: "nDCG@10 1.7 points above keywords alone in the mean over four English sets",
    pooling: "cls",
    queryPrefix: searchInstruction,
    documentPrefix: "",
  },
  {
    ...small,
    name: "snowflake-arctic-embed-s",
    repo: "Snowflake/snowflake-arctic-embed-s",
    licence: "Apache-2.0",
    languages: "English",
    bytes: 35e6,
    about: "made for search",
    pooling: "cls",
    queryPrefix: searchInstruction,
    documentPrefix: "",
  },
  {
    task: "rerank",
    name: "ms-marco-MiniLM-L-6-v2",
    repo: "Xenova/ms-marco-MiniLM-L-6-v2",
    modelFile: "onnx/model_quantized.onnx",
    precision: "int8",
    maxTokens: 512,
    licence: "Apache-2.0",
    languages: "English",
    bytes: 23e6,
    about: "reranker (cross-encoder): reads question and passage together",
  },
];

export function knownModel(name: string): KnownModel | undefined {
  return KNOWN_MODELS.find((model) => model.name === name);
}

/** The card alone, as it is kept beside the files. */
export function cardOf(model: ModelCard): ModelCard {
  const { name, modelFile, precision } = model;
  if (model.task === "rerank")
    return { task: "rerank", name, modelFile, precision, maxTokens: model.maxTokens };
  const { dimensions, pooling, maxTokens, windowTokens, queryPrefix, documentPrefix } = model;
  return {
    name,
    modelFile,
    precision,
    dimensions,
    pooling,
    maxTokens,
    windowTokens,
    queryPrefix,
    documentPrefix,
  };
}
