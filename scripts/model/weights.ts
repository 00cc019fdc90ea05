/** A matrix by rows, or a vector. */
export interface Weight {
  readonly dims: readonly number[];
  readonly data: Float32Array;
}

/** The weights of a BERT encoder, under the names that its checkpoints use. */
export interface BertWeights {
  readonly layers: number;
  readonly heads: number;
  readonly hidden: number;
  readonly get: (name: string) => Weight;
}

/** The format "safetensors": the length of a JSON header in 8 bytes, the header, the tensors one after another. Only 32-bit floats. */
export function readSafetensors(file: Buffer): (name: string) => Weight {
  const length = Number(file.readBigUInt64LE(0));
  const header = JSON.parse(file.toString("utf8", 8, 8 + length));
  return (name) => {
    const entry = header[name];
    if (entry?.dtype !== "F32") throw new Error(`There is no tensor of 32-bit floats named ${name}.`);
    const [from, to] = entry.data_offsets.map((offset: number) => 8 + length + offset);
    return { dims: entry.shape, data: floats(file, from, (to - from) / 4) };
  };
}

/** A copy: floats in a file are seldom aligned. */
export function floats(file: Buffer, from: number, count: number): Float32Array {
  return new Float32Array(new Uint8Array(file.subarray(from, from + 4 * count)).buffer);
}

/** Rows and columns exchanged. */
export function transposed({ dims: [rows = 0, columns = 0], data }: Weight): Weight {
  const out = new Float32Array(data.length);
  for (let r = 0; r < rows; r++)
    for (let c = 0; c < columns; c++) out[c * rows + r] = data[r * columns + c] ?? 0;
  return { dims: [columns, rows], data: out };
}

/** 8-bit numbers with one scale for each row or each column: `value ≈ data · scale`, scale = largest / 127. */
export function quantized(
  { dims: [rows = 0, columns = 0], data }: Weight,
  by: "row" | "column",
): { readonly data: Int8Array; readonly scales: Float32Array } {
  const groupOf = (index: number) => (by === "row" ? Math.floor(index / columns) : index % columns);
  const scales = new Float32Array(by === "row" ? rows : columns);
  data.forEach((value, index) => {
    const group = groupOf(index);
    scales[group] = Math.max(scales[group] ?? 0, Math.abs(value) / 127);
  });
  const out = new Int8Array(data.length);
  data.forEach((value, index) => {
    const scale = scales[groupOf(index)] ?? 0;
    out[index] = scale === 0 ? 0 : Math.round(value / scale);
  });
  return { data: out, scales };
}
