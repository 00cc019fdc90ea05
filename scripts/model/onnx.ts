/**
 * The part of the ONNX file format that a model is written with, as protocol buffers. Field numbers are those of
 * onnx.proto (IR version 9): ModelProto, GraphProto, NodeProto, AttributeProto, TensorProto, ValueInfoProto.
 */

/** Pieces of a file; large tensors are not copied. */
type Bytes = readonly Uint8Array[];

export interface OnnxNode {
  readonly op: string;
  readonly inputs: readonly string[];
  readonly outputs: readonly string[];
  readonly attributes: Readonly<Record<string, Attribute>>;
}

export type Attribute =
  | { readonly int: number }
  | { readonly float: number }
  | { readonly ints: readonly number[] };

export interface OnnxTensor {
  readonly name: string;
  readonly dims: readonly number[];
  readonly data: Float32Array | Int8Array | BigInt64Array;
}

export interface OnnxValue {
  readonly name: string;
  readonly type: "float" | "int64";
  /** A name stands for a length that is only known when the model runs. */
  readonly dims: readonly (number | string)[];
}

export interface OnnxGraph {
  readonly nodes: readonly OnnxNode[];
  readonly tensors: readonly OnnxTensor[];
  readonly inputs: readonly OnnxValue[];
  readonly outputs: readonly OnnxValue[];
}

const TYPES = { float: 1, int8: 3, int64: 7 } as const;
const IR_VERSION = 9;
const OPSET = 17;

/** The file's pieces, in order. */
export function encodeModel(graph: OnnxGraph): Bytes {
  return [
    ...int(1, IR_VERSION),
    ...text(2, "konteks"),
    ...message(7, encodeGraph(graph)),
    ...message(8, [...text(1, ""), ...int(2, OPSET)]),
  ];
}

function encodeGraph({ nodes, tensors, inputs, outputs }: OnnxGraph): Bytes {
  return [
    ...nodes.flatMap((node) => message(1, encodeNode(node))),
    ...text(2, "encoder"),
    ...tensors.flatMap((tensor) => message(5, encodeTensor(tensor))),
    ...inputs.flatMap((value) => message(11, encodeValue(value))),
    ...outputs.flatMap((value) => message(12, encodeValue(value))),
  ];
}

function encodeNode({ op, inputs, outputs, attributes }: OnnxNode): Bytes {
  return [
    ...inputs.flatMap((name) => text(1, name)),
    ...outputs.flatMap((name) => text(2, name)),
    ...text(3, outputs[0] ?? ""),
    ...text(4, op),
    ...Object.entries(attributes).flatMap(([name, value]) => message(5, encodeAttribute(name, value))),
  ];
}

function encodeAttribute(name: string, value: Attribute): Bytes {
  if ("int" in value) return [...text(1, name), ...int(3, value.int), ...int(20, 2)];
  if ("ints" in value) return [...text(1, name), ...value.ints.flatMap((one) => int(8, one)), ...int(20, 7)];
  const float = new Uint8Array(Float32Array.of(value.float).buffer);
  return [...text(1, name), tag(2, 5), float, ...int(20, 1)];
}

function encodeTensor({ name, dims, data }: OnnxTensor): Bytes {
  const type = data instanceof Float32Array ? "float" : data instanceof Int8Array ? "int8" : "int64";
  return [
    ...dims.flatMap((dim) => int(1, dim)),
    ...int(2, TYPES[type]),
    ...text(8, name),
    ...message(9, [new Uint8Array(data.buffer, data.byteOffset, data.byteLength)]),
  ];
}

function encodeValue({ name, type, dims }: OnnxValue): Bytes {
  const shape = dims.flatMap((dim) => message(1, typeof dim === "number" ? int(1, dim) : text(2, dim)));
  const tensor = [...int(1, TYPES[type]), ...message(2, shape)];
  return [...text(1, name), ...message(2, message(1, tensor))];
}

function message(field: number, parts: Bytes): Bytes {
  const length = parts.reduce((sum, part) => sum + part.length, 0);
  return [tag(field, 2), varint(BigInt(length)), ...parts];
}

function text(field: number, value: string): Bytes {
  return message(field, [new TextEncoder().encode(value)]);
}

function int(field: number, value: number): Bytes {
  return [tag(field, 0), varint(BigInt.asUintN(64, BigInt(value)))];
}

function tag(field: number, wire: number): Uint8Array {
  return varint(BigInt((field << 3) | wire));
}

function varint(value: bigint): Uint8Array {
  const bytes: number[] = [];
  let rest = value;
  for (; rest > 127n; rest >>= 7n) bytes.push(Number(rest & 127n) | 128);
  bytes.push(Number(rest));
  return Uint8Array.from(bytes);
}
