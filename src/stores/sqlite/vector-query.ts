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

/**
 * Variance that leaving components out of an estimate may add to a cosine: a vector spreads its length over its
 * dimensions, so the share of the query that is left out counts the less the more dimensions there are.
 */
const LEFT_OUT = 1 / 9_600;
const LEAST_SHARE = 0.8;
/** The kernel adds up so many products in 16 bits. */
const BLOCK = 16;
const LARGEST = 127;
/** The largest 4-bit code as it is kept. */
const LARGEST_STEP = 15;
/** More than there are components in a sketch. */
const PLACES = 2 ** 14;

/** What estimates look at of a query. */
export interface QuerySketch {
  /** The components that matter most, until they hold most of the query's squared length. */
  readonly components: readonly number[];
  /** Their 8-bit codes. */
  readonly codes: readonly number[];
  /** An estimate is `offset` and the sums of products of each block, shifted right by `shift`: 0 to 65,535. */
  readonly offset: number;
  readonly shift: number;
}

/** Few components for a short query of a hashed embedding, half of them for a model's. */
export function querySketch(codes: Int16Array): QuerySketch {
  const largest = Math.max(largestOf(codes), 1);
  const components = heaviest(codes);
  const values = components.map((k) => Math.round(((codes[k] ?? 0) * LARGEST) / largest));
  let below = 0;
  let all = 0;
  for (const value of values) {
    all += Math.abs(value);
    if (value < 0) below -= value;
  }
  // Shifting rounds each block down by less than 1.
  const blocks = values.length / BLOCK;
  let shift = 0;
  while (Math.ceil((all * LARGEST_STEP) / 2 ** shift) + 2 * blocks > 65_534) shift++;
  return {
    components,
    codes: values,
    offset: Math.ceil((below * LARGEST_STEP) / 2 ** shift) + blocks,
    shift,
  };
}

/** Places of the largest components, ascending, as memory is read best; a multiple of `BLOCK` of them. */
function heaviest(codes: Int16Array): number[] {
  // Squares and places in one number each, so that they sort without a comparison function; equal ones in order.
  const keys = new Float64Array(codes.length);
  let all = 0;
  for (let k = 0; k < codes.length; k++) {
    const square = (codes[k] as number) ** 2;
    keys[k] = square * PLACES + (PLACES - 1 - k);
    all += square;
  }
  keys.sort();
  const wanted = all * Math.max(LEAST_SHARE, 1 - codes.length * LEFT_OUT);
  let sum = 0;
  let count = 0;
  while (count < keys.length && sum < wanted)
    sum += Math.floor((keys[keys.length - ++count] as number) / PLACES);
  const most = Math.min(keys.length, Math.ceil(count / BLOCK) * BLOCK);
  const places = Uint16Array.from(keys.subarray(keys.length - most), (key) => PLACES - 1 - (key % PLACES));
  return padded([...places.sort()], codes.length);
}

/** Dimensions that are no multiple of a block: the kernel's rows of zeros follow. */
function padded(places: number[], dimensions: number): number[] {
  for (let next = dimensions; places.length % BLOCK !== 0; next++) places.push(next);
  return places;
}

function largestOf(values: Float32Array | Int16Array): number {
  let largest = 0;
  for (let i = 0; i < values.length; i++) largest = Math.max(largest, Math.abs(values[i] as number));
  return largest;
}
