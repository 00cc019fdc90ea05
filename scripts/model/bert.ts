import type { Attribute, OnnxGraph, OnnxNode, OnnxTensor } from "./onnx.ts";
import { type BertWeights, quantized, transposed, type Weight } from "./weights.ts";

/** Collects a graph; each step gives back the name of what it computes. */
interface Builder {
  readonly graph: { readonly nodes: OnnxNode[]; readonly tensors: OnnxTensor[] };
  op(op: string, inputs: readonly string[], attributes?: Readonly<Record<string, Attribute>>): string;
  tensor(dims: readonly number[], data: OnnxTensor["data"]): string;
}

/**
 * The encoder of Devlin et al., "BERT", NAACL 2019, as an ONNX graph: token ids and mask in, token vectors out. With
 * "int8" its matrices are kept in 8 bits and its activations quantized as the model runs.
 */
export function bertGraph(weights: BertWeights, precision: "fp32" | "int8"): OnnxGraph {
  const b = createBuilder();
  const linear = precision === "int8" ? int8Linear(b) : fp32Linear(b);
  const normalised = (x: string, name: string) =>
    b.op(
      "LayerNormalization",
      [x, vector(b, weights, `${name}.weight`), vector(b, weights, `${name}.bias`)],
      {
        epsilon: { float: 1e-12 },
        axis: { int: -1 },
      },
    );
  const dense = (x: string, name: string) =>
    b.op("Add", [linear(x, weights.get(`${name}.weight`)), vector(b, weights, `${name}.bias`)]);

  let x = normalised(embeddings(b, weights, precision), "embeddings.LayerNorm");
  const mask = attentionMask(b);
  for (let layer = 0; layer < weights.layers; layer++) {
    const at = (name: string) => `encoder.layer.${layer}.${name}`;
    const attended = attention(b, weights, mask, (part) => dense(x, at(`attention.self.${part}`)));
    const first = b.op("Add", [dense(attended, at("attention.output.dense")), x]);
    const middle = normalised(first, at("attention.output.LayerNorm"));
    const wide = gelu(b, dense(middle, at("intermediate.dense")));
    x = normalised(b.op("Add", [dense(wide, at("output.dense")), middle]), at("output.LayerNorm"));
  }
  b.graph.nodes.push({ op: "Identity", inputs: [x], outputs: ["last_hidden_state"], attributes: {} });
  const length = ["batch", "tokens"];
  return {
    ...b.graph,
    inputs: ["input_ids", "attention_mask"].map((name) => ({ name, type: "int64", dims: length })),
    outputs: [{ name: "last_hidden_state", type: "float", dims: [...length, weights.hidden] }],
  };
}

function createBuilder(): Builder {
  const graph = { nodes: [] as OnnxNode[], tensors: [] as OnnxTensor[] };
  return {
    graph,
    op(op, inputs, attributes = {}) {
      const name = `${op}_${graph.nodes.length}`;
      graph.nodes.push({ op, inputs, outputs: [name], attributes });
      return name;
    },
    tensor(dims, data) {
      const name = `tensor_${graph.tensors.length}`;
      graph.tensors.push({ name, dims, data });
      return name;
    },
  };
}

function vector(b: Builder, weights: BertWeights, name: string): string {
  const { dims, data } = weights.get(name);
  return b.tensor(dims, data);
}

function constant(b: Builder, value: number): string {
  return b.tensor([], Float32Array.of(value));
}

function integers(b: Builder, ...values: readonly number[]): string {
  return b.tensor([values.length], BigInt64Array.from(values, BigInt));
}

/** Words plus positions plus the one segment that is used. */
function embeddings(b: Builder, weights: BertWeights, precision: "fp32" | "int8"): string {
  const words = weights.get("embeddings.word_embeddings.weight");
  const ids = "input_ids";
  const word =
    precision === "fp32" ? b.op("Gather", [b.tensor(words.dims, words.data), ids]) : int8Rows(b, words, ids);
  const positions = weights.get("embeddings.position_embeddings.weight");
  const segment = weights.get("embeddings.token_type_embeddings.weight").data;
  const sum = positions.data.map((value, index) => value + (segment[index % weights.hidden] ?? 0));
  const length = b.op("Shape", [ids], { start: { int: 1 }, end: { int: 2 } });
  const zero = integers(b, 0);
  return b.op("Add", [word, b.op("Slice", [b.tensor(positions.dims, sum), zero, length, zero])]);
}

function int8Rows(b: Builder, weight: Weight, ids: string): string {
  const { data, scales } = quantized(weight, "row");
  const rows = b.op("Cast", [b.op("Gather", [b.tensor(weight.dims, data), ids])], { to: { int: 1 } });
  return b.op("Mul", [rows, b.op("Gather", [b.tensor([scales.length, 1], scales), ids])]);
}

/** 0 where there is a token, a large negative number where there is padding. */
function attentionMask(b: Builder): string {
  const present = b.op("Cast", ["attention_mask"], { to: { int: 1 } });
  const absent = b.op("Sub", [constant(b, 1), b.op("Unsqueeze", [present, integers(b, 1, 2)])]);
  return b.op("Mul", [absent, constant(b, -10_000)]);
}

function attention(
  b: Builder,
  { heads, hidden }: BertWeights,
  mask: string,
  project: (part: "query" | "key" | "value") => string,
): string {
  const size = hidden / heads;
  const split = (part: "query" | "key" | "value", order: readonly number[]) =>
    b.op("Transpose", [b.op("Reshape", [project(part), integers(b, 0, 0, heads, size)])], {
      perm: { ints: order },
    });
  const scores = b.op("MatMul", [split("query", [0, 2, 1, 3]), split("key", [0, 2, 3, 1])]);
  const scaled = b.op("Add", [b.op("Div", [scores, constant(b, Math.sqrt(size))]), mask]);
  const weighted = b.op("MatMul", [
    b.op("Softmax", [scaled], { axis: { int: -1 } }),
    split("value", [0, 2, 1, 3]),
  ]);
  const joined = b.op("Transpose", [weighted], { perm: { ints: [0, 2, 1, 3] } });
  return b.op("Reshape", [joined, integers(b, 0, 0, hidden)]);
}

/** x · (1 + erf(x / √2)) / 2 */
function gelu(b: Builder, x: string): string {
  const erf = b.op("Erf", [b.op("Div", [x, constant(b, Math.SQRT2)])]);
  return b.op("Mul", [b.op("Mul", [x, b.op("Add", [erf, constant(b, 1)])]), constant(b, 0.5)]);
}

type Linear = (x: string, weight: Weight) => string;

function fp32Linear(b: Builder): Linear {
  return (x, weight) => {
    const { dims, data } = transposed(weight);
    return b.op("MatMul", [x, b.tensor(dims, data)]);
  };
}

/** What reads the same activations shares their quantization. */
function int8Linear(b: Builder): Linear {
  const seen = new Map<string, readonly [values: string, scale: string, zero: string]>();
  const activations = (x: string) => {
    const known = seen.get(x);
    if (known !== undefined) return known;
    const made = [`${x}_values`, `${x}_scale`, `${x}_zero`] as const;
    b.graph.nodes.push({ op: "DynamicQuantizeLinear", inputs: [x], outputs: made, attributes: {} });
    seen.set(x, made);
    return made;
  };
  return (x, weight) => {
    const [values, scale, zero] = activations(x);
    const matrix = transposed(weight);
    const { data, scales } = quantized(matrix, "column");
    const product = b.op("MatMulInteger", [values, b.tensor(matrix.dims, data), zero]);
    const factor = b.op("Mul", [scale, b.tensor([scales.length], scales)]);
    return b.op("Mul", [b.op("Cast", [product], { to: { int: 1 } }), factor]);
  };
}
