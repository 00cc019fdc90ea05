/**
 * Token vectors [texts, tokens, dimensions] to one unit vector a text: the mean over its own tokens, padding left out, or
 * the first token's. Source: Reimers, Gurevych, "Sentence-BERT", EMNLP 2019, section 3.
 */
export function pool(
  output: Float32Array,
  [, width = 0, dimensions = 0]: readonly number[],
  lengths: readonly number[],
  pooling: "mean" | "cls",
): readonly Float32Array[] {
  return lengths.map((length, row) => {
    const sum = new Float64Array(dimensions);
    const tokens = pooling === "cls" ? 1 : length;
    for (let token = 0; token < tokens; token++) {
      const from = (row * width + token) * dimensions;
      for (let d = 0; d < dimensions; d++) sum[d] = (sum[d] ?? 0) + (output[from + d] ?? 0);
    }
    return unit(sum);
  });
}

function unit(vector: Float64Array): Float32Array {
  const length = Math.sqrt(vector.reduce((sum, value) => sum + value * value, 0));
  return Float32Array.from(vector, (value) => (length > 0 ? value / length : 0));
}
