import {
  byteReader,
  byteWriter,
  readBytes,
  readCount,
  readVarint,
  writeBytes,
  writeVarint,
  written,
} from "./bytes.ts";

/**
 * A document's windows as 8-bit codes. A component is `round(x · 127 / max |x|)` of its vector, so each vector has a
 * scale of its own; what is kept of it is `1 / |codes|`, all that a cosine needs. Error of a cosine: about 0.001 for
 * embeddings of a few hundred dimensions.
 */
export interface VectorCodes {
  readonly dimensions: number;
  /** Ordinal of the chunk that each window belongs to, ascending. */
  readonly owners: Uint32Array;
  /** 1 / length of each window's codes; 0 for a zero vector. */
  readonly inverseNorms: Float32Array;
  /** Window after window. */
  readonly codes: Int8Array;
}

const LARGEST_CODE = 127;

/** `windows[i]` are the vectors of chunk i; undefined when there is none at all. */
export function encodeVectors(windows: readonly (readonly Float32Array[])[]): VectorCodes | undefined {
  const all = windows.flat();
  const dimensions = all[0]?.length;
  if (dimensions === undefined) return undefined;
  const codes = new Int8Array(all.length * dimensions);
  const inverseNorms = new Float32Array(all.length);
  for (const [i, vector] of all.entries()) {
    inverseNorms[i] = encodeInto(codes.subarray(i * dimensions, (i + 1) * dimensions), vector);
  }
  const owners = Uint32Array.from(windows.flatMap((list, ordinal) => list.map(() => ordinal)));
  return { dimensions, owners, inverseNorms, codes };
}

export function packVectors({ dimensions, owners, inverseNorms, codes }: VectorCodes): Uint8Array {
  const writer = byteWriter(codes.length + inverseNorms.byteLength + owners.length * 3 + 16);
  writeVarint(writer, dimensions);
  writeVarint(writer, owners.length);
  for (const owner of owners) writeVarint(writer, owner);
  writeBytes(writer, bytesOf(inverseNorms));
  writeBytes(writer, bytesOf(codes));
  return written(writer);
}

export function unpackVectors(bytes: Uint8Array): VectorCodes {
  const reader = byteReader(bytes);
  const dimensions = readVarint(reader);
  const owners = new Uint32Array(readCount(reader));
  for (let i = 0; i < owners.length; i++) owners[i] = readVarint(reader);
  const norms = readBytes(reader, owners.length * 4).slice();
  const codes = readBytes(reader, owners.length * dimensions);
  return {
    dimensions,
    owners,
    inverseNorms: new Float32Array(norms.buffer),
    codes: new Int8Array(codes.buffer, codes.byteOffset, codes.length),
  };
}

function encodeInto(target: Int8Array, vector: Float32Array): number {
  let largest = 0;
  for (let i = 0; i < vector.length; i++) {
    const size = Math.abs(vector[i] as number);
    if (size > largest) largest = size;
  }
  if (largest === 0) return 0;
  let squares = 0;
  for (let i = 0; i < vector.length; i++) {
    const code = Math.round(((vector[i] as number) / largest) * LARGEST_CODE);
    target[i] = code;
    squares += code * code;
  }
  return 1 / Math.sqrt(squares);
}

function bytesOf(array: Float32Array | Int8Array): Uint8Array {
  return new Uint8Array(array.buffer, array.byteOffset, array.byteLength);
}
