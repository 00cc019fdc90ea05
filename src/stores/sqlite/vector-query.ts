/** A query as 16-bit codes. */
export interface QueryCodes {
  readonly codes: Int16Array;
  /** Length of the codes; 0 for a zero vector. */
  readonly norm: number;
}

/** As large as the kernel's 32-bit sums allow. */
export function encodeQuery(vector: Float32Array): QueryCodes {
  const codes = new Int16Array(vector.length);
  const largest = largestOf(vector);
  if (largest === 0) return { codes, norm: 0 };
  const scale = Math.min(32_767, Math.floor(2 ** 31 / (128 * vector.length)) - 1) / largest;
  let squares = 0;
  for (let i = 0; i < vector.length; i++) {
    const code = Math.round((vector[i] as number) * scale);
    codes[i] = code;
    squares += code * code;
  }
  return { codes, norm: Math.sqrt(squares) };
}

/** Share of a query's squared length that an estimate looks at. */
const ENERGY = 0.85;
/** The kernel adds up so many products in 16 bits. */
const BLOCK = 16;
const LARGEST = 127;
/** The largest 4-bit code as it is kept. */
const LARGEST_STEP = 15;

/**
 * The components that matter most, until they hold 85 % of the query's squared length: few for a short query of a hashed
 * embedding, most for a model's. Estimates over 4-bit codes of these found all of the exact top 20 among 500 of 100,000
 * chunks, where sign bits of all components found 83 %.
 */
export function querySketch(codes: Int16Array) {
  const largest = Math.max(largestOf(codes), 1);
  const components = heaviest(codes);
  const values = components.map((k) => Math.round(((codes[k] ?? 0) * LARGEST) / largest));
  let below = 0;
  let all = 0;
  for (const value of values) {
    all += Math.abs(value);
    if (value < 0) below -= value;
  }
  const shift = Math.max(0, Math.ceil(Math.log2((all * LARGEST_STEP + 1) / 65_536)));
  return { components, codes: values, offset: below * LARGEST_STEP, shift };
}

/** Places of the largest components, a multiple of `BLOCK` of them; equal ones in order. */
function heaviest(codes: Int16Array): number[] {
  const order = Array.from(codes.keys()).sort((a, b) => squareAt(codes, b) - squareAt(codes, a) || a - b);
  let all = 0;
  for (const code of codes) all += code * code;
  let sum = 0;
  let count = 0;
  while (count < order.length && sum < ENERGY * all) sum += squareAt(codes, order[count++] as number);
  return padded(order.slice(0, Math.ceil(count / BLOCK) * BLOCK), codes.length);
}

/** Dimensions that are no multiple of a block: the kernel's rows of zeros follow. */
function padded(places: number[], dimensions: number): number[] {
  for (let next = dimensions; places.length % BLOCK !== 0; next++) places.push(next);
  return places;
}

function squareAt(codes: Int16Array, k: number): number {
  return (codes[k] as number) ** 2;
}

function largestOf(values: Float32Array | Int16Array): number {
  let largest = 0;
  for (const value of values) largest = Math.max(largest, Math.abs(value));
  return largest;
}
