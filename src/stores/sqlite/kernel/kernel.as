/*
 * The vector kernel, in AssemblyScript (TypeScript's syntax, compiled to WebAssembly with SIMD). `npm run build:kernel`
 * compiles it into kernel-bytes.ts. All pointers are byte offsets into the imported memory; `width` is the number of
 * bytes of a window's codes, a multiple of 16.
 *
 * A bank holds 16,384 windows: their 8-bit codes, window after window, and 4-bit codes in rows, one for each component.
 * The 8,192 bytes of a row hold windows 0 to 8,191 in their low halves and the others in their high halves, each code
 * plus 8. So a scan reads rows from end to end, which processors foresee, and none that the query does not ask for. The
 * bytes between rows keep these from falling on the same lines of the processor's cache.
 *
 * The memory is shared: threads estimate different banks at the same time, each into a place of its own.
 */

const ROW: usize = 8192;
const NEXT_ROW: usize = 8256;

/** Inner products of `count` windows of 8-bit codes with a query of 16-bit codes. */
export function dots(codes: usize, query: usize, count: i32, width: i32, out: usize): void {
  let at = codes;
  for (let i = 0; i < count; i++) {
    store<i32>(out + (<usize>i << 2), dot(at, query, width));
    at += width;
  }
}

/**
 * The same for windows by their numbers (u32); banks begin at `head` and are `stride` bytes apart. Four at a time: such
 * windows lie apart, and a processor that waits for the memory of one can ask for that of the others meanwhile.
 */
export function dotsOf(windows: usize, query: usize, count: i32, width: i32, head: usize, stride: usize, out: usize): void {
  let i = 0;
  for (; i + 4 <= count; i += 4) {
    const at = windows + (<usize>i << 2);
    const a = placeOf(load<u32>(at), width, head, stride);
    const b = placeOf(load<u32>(at, 4), width, head, stride);
    const c = placeOf(load<u32>(at, 8), width, head, stride);
    const d = placeOf(load<u32>(at, 12), width, head, stride);
    dotFour(a, b, c, d, query, width, out + (<usize>i << 2));
  }
  for (; i < count; i++) {
    const window = load<u32>(windows + (<usize>i << 2));
    store<i32>(out + (<usize>i << 2), dot(placeOf(window, width, head, stride), query, width));
  }
}

// @ts-ignore: decorator
@inline
function placeOf(window: u32, width: i32, head: usize, stride: usize): usize {
  return head + <usize>(window >>> 14) * stride + <usize>(window & 16383) * <usize>width;
}

function dotFour(a: usize, b: usize, c: usize, d: usize, query: usize, width: i32, out: usize): void {
  let w = i32x4.splat(0);
  let x = w;
  let y = w;
  let z = w;
  for (let k: usize = 0; k < <usize>width; k += 16) {
    const low = v128.load(query + (k << 1));
    const high = v128.load(query + (k << 1), 16);
    w = addProducts(w, a + k, low, high);
    x = addProducts(x, b + k, low, high);
    y = addProducts(y, c + k, low, high);
    z = addProducts(z, d + k, low, high);
  }
  store<i32>(out, sumOf(w));
  store<i32>(out, sumOf(x), 4);
  store<i32>(out, sumOf(y), 8);
  store<i32>(out, sumOf(z), 12);
}

// @ts-ignore: decorator
@inline
function addProducts(sum: v128, codes: usize, low: v128, high: v128): v128 {
  const first = i32x4.dot_i16x8_s(v128.load8x8_s(codes), low);
  const second = i32x4.dot_i16x8_s(v128.load8x8_s(codes, 8), high);
  return i32x4.add(sum, i32x4.add(first, second));
}

// @ts-ignore: decorator
@inline
function dot(codes: usize, query: usize, width: i32): i32 {
  let low = i32x4.splat(0);
  let high = i32x4.splat(0);
  for (let k = 0; k < width; k += 16) {
    const block = v128.load(codes + k);
    const q = query + (<usize>k << 1);
    low = i32x4.add(low, i32x4.dot_i16x8_s(i16x8.extend_low_i8x16_s(block), v128.load(q)));
    high = i32x4.add(high, i32x4.dot_i16x8_s(i16x8.extend_high_i8x16_s(block), v128.load(q, 16)));
  }
  return sumOf(i32x4.add(low, high));
}

/**
 * Writes the codes of 16 windows as 4-bit ones into the rows of their bank, from place `window` on, a multiple of 16.
 * `scales` (f32) turn each window's codes into steps; `scratch` is room for 512 bytes.
 */
export function spread(codes: usize, scales: usize, width: i32, rows: usize, window: i32, scratch: usize): void {
  const shift: i32 = window < 8192 ? 0 : 4;
  const keep = i8x16.splat(window < 8192 ? <i8>0xf0 : 0x0f);
  for (let k = 0; k < width; k += 16) {
    for (let i: usize = 0; i < 16; i++) {
      const block = v128.load(codes + i * <usize>width + <usize>k);
      v128.store(scratch + (i << 4), steps(block, f32x4.splat(load<f32>(scales + (i << 2)))));
    }
    transpose(scratch, scratch + 256);
    transpose(scratch + 256, scratch);
    transpose(scratch, scratch + 256);
    transpose(scratch + 256, scratch);
    let to = rows + <usize>k * NEXT_ROW + <usize>(window & 8191);
    for (let i: usize = 0; i < 16; i++) {
      const half = i16x8.shl(v128.load(scratch + (i << 4)), shift);
      v128.store(to, v128.or(v128.and(v128.load(to), keep), half));
      to += NEXT_ROW;
    }
  }
}

// @ts-ignore: decorator
@inline
function steps(block: v128, scale: v128): v128 {
  const low = i16x8.extend_low_i8x16_s(block);
  const high = i16x8.extend_high_i8x16_s(block);
  const first = i16x8.narrow_i32x4_s(stepsOf(i32x4.extend_low_i16x8_s(low), scale), stepsOf(i32x4.extend_high_i16x8_s(low), scale));
  const second = i16x8.narrow_i32x4_s(stepsOf(i32x4.extend_low_i16x8_s(high), scale), stepsOf(i32x4.extend_high_i16x8_s(high), scale));
  const all = i8x16.narrow_i16x8_s(first, second);
  return i8x16.add(i8x16.min_s(i8x16.max_s(all, i8x16.splat(-8)), i8x16.splat(7)), i8x16.splat(8));
}

// @ts-ignore: decorator
@inline
function stepsOf(codes: v128, scale: v128): v128 {
  return i32x4.trunc_sat_f32x4_s(f32x4.nearest(f32x4.mul(f32x4.convert_i32x4_s(codes), scale)));
}

/** A quarter of turning 16 rows of 16 bytes into columns: rows i and i + 8 are laid into one another. */
function transpose(from: usize, to: usize): void {
  for (let i: usize = 0; i < 128; i += 16) {
    const a = v128.load(from + i);
    const b = v128.load(from + i, 128);
    v128.store(to + (i << 1), i8x16.shuffle(a, b, 0, 16, 1, 17, 2, 18, 3, 19, 4, 20, 5, 21, 6, 22, 7, 23));
    v128.store(to + (i << 1), i8x16.shuffle(a, b, 8, 24, 9, 25, 10, 26, 11, 27, 12, 28, 13, 29, 14, 30, 15, 31), 16);
  }
}

/**
 * Estimates of the inner products of a bank's windows with the query, as u16. `chosen` lists byte offsets of rows (u32),
 * `count` of them, a multiple of 16; `query` has their codes (i8) in pairs, each pair written eight times over. Sums of
 * 16 products fit 16 bits; they are shifted right by `shift` and added to `offset`. The products are relaxed ones, which
 * differ between processors only where a code's highest bit is set; 4-bit codes have none.
 */
export function estimate(rows: usize, chosen: usize, query: usize, count: i32, offset: i32, shift: i32, out: usize): void {
  const start = i16x8.splat(<i16>offset);
  for (let at: usize = 0; at < ROW * 4; at += 16) v128.store(out + at, start);
  for (let from = 0; from < count; from += 16) {
    addBlock(rows, chosen + (<usize>from << 2), query + (<usize>from << 3), shift, out);
  }
}

/** Adds the products of 16 rows. */
function addBlock(rows: usize, chosen: usize, query: usize, shift: i32, out: usize): void {
  const low = i8x16.splat(15);
  for (let at: usize = 0; at < ROW; at += 16) {
    let s0 = i16x8.splat(0);
    let s1 = s0;
    let s2 = s0;
    let s3 = s0;
    for (let pair: usize = 0; pair < 64; pair += 8) {
      const first = v128.load(rows + at + load<u32>(chosen + pair));
      const second = v128.load(rows + at + load<u32>(chosen + pair, 4));
      const q = v128.load(query + (pair << 1));
      const x = i8x16.shuffle(first, second, 0, 16, 1, 17, 2, 18, 3, 19, 4, 20, 5, 21, 6, 22, 7, 23);
      const y = i8x16.shuffle(first, second, 8, 24, 9, 25, 10, 26, 11, 27, 12, 28, 13, 29, 14, 30, 15, 31);
      s0 = i16x8.add(s0, i16x8.relaxed_dot_i8x16_i7x16_s(q, v128.and(x, low)));
      s1 = i16x8.add(s1, i16x8.relaxed_dot_i8x16_i7x16_s(q, v128.and(y, low)));
      s2 = i16x8.add(s2, i16x8.relaxed_dot_i8x16_i7x16_s(q, v128.and(i16x8.shr_u(x, 4), low)));
      s3 = i16x8.add(s3, i16x8.relaxed_dot_i8x16_i7x16_s(q, v128.and(i16x8.shr_u(y, 4), low)));
    }
    const to = out + (at << 1);
    v128.store(to, i16x8.add(v128.load(to), i16x8.shr_s(s0, shift)));
    v128.store(to, i16x8.add(v128.load(to, 16), i16x8.shr_s(s1, shift)), 16);
    v128.store(to, i16x8.add(v128.load(to, 16384), i16x8.shr_s(s2, shift)), 16384);
    v128.store(to, i16x8.add(v128.load(to, 16400), i16x8.shr_s(s3, shift)), 16400);
  }
}

/** Sets `length` bytes to 0. */
export function clear(at: usize, length: usize): void {
  memory.fill(at, 0, length);
}

/** Bytes of the histogram's fine part. */
const COARSE: usize = 65536 * 4;
/** So many estimates are seen between two looks at whether the bound can rise. */
const RISE: i32 = 1024;

/**
 * Raises a bound that has `wanted` estimates at or above it, as long as estimates at least as high remain so many.
 * `bar` holds the bound and how many estimates seen so far reach it (u32 each), `histogram` how often each of them was
 * seen, and behind that how often each 256 of them. Begun with zeros, the bound ends as the `wanted`-th highest estimate, in whatever order they are seen.
 */
export function raise(estimates: usize, length: i32, wanted: u32, bar: usize, histogram: usize): void {
  for (let from = 0; from < length; from += RISE) {
    const at = estimates + (<usize>from << 1);
    seeAll(at, min(RISE, length - from), bar, histogram);
    let least = load<u32>(bar);
    let above = load<u32>(bar, 4);
    while (true) {
      // From the beginning of 256 estimates, all of them at once.
      const many = (least & 255) == 0 ? load<u32>(histogram + COARSE + (<usize>(least >>> 8) << 2)) : above;
      if (above - many >= wanted) {
        above -= many;
        least += 256;
        continue;
      }
      const one = load<u32>(histogram + (<usize>least << 2));
      if (above - one < wanted) break;
      above -= one;
      least++;
    }
    store<u32>(bar, least);
    store<u32>(bar, above, 4);
  }
}

function seeAll(estimates: usize, length: i32, bar: usize, histogram: usize): void {
  const least = load<u32>(bar);
  let above = load<u32>(bar, 4);
  const bound = i16x8.splat(<i16>least);
  let i = 0;
  for (; i + 8 <= length; i += 8) {
    let mask = i16x8.bitmask(i16x8.ge_u(v128.load(estimates + (<usize>i << 1)), bound));
    while (mask != 0) {
      count(estimates, i + ctz(mask), histogram);
      above++;
      mask &= mask - 1;
    }
  }
  for (; i < length; i++) {
    if (load<u16>(estimates + (<usize>i << 1)) < least) continue;
    count(estimates, i, histogram);
    above++;
  }
  store<u32>(bar, above, 4);
}

// @ts-ignore: decorator
@inline
function count(estimates: usize, i: i32, histogram: usize): void {
  const estimate = <usize>load<u16>(estimates + (<usize>i << 1));
  const entry = histogram + (estimate << 2);
  store<u32>(entry, load<u32>(entry) + 1);
  const coarse = histogram + COARSE + (estimate >>> 8 << 2);
  store<u32>(coarse, load<u32>(coarse) + 1);
}

/** Numbers of the windows with an estimate of at least `least`, as u32, counted from `first`. Returns how many. */
export function atLeast(estimates: usize, length: i32, least: i32, first: i32, out: usize): i32 {
  const bound = i16x8.splat(<i16>least);
  let found = 0;
  let i = 0;
  for (; i + 8 <= length; i += 8) {
    let mask = i16x8.bitmask(i16x8.ge_u(v128.load(estimates + (<usize>i << 1)), bound));
    while (mask != 0) {
      store<u32>(out + (<usize>(found++) << 2), first + i + ctz(mask));
      mask &= mask - 1;
    }
  }
  for (; i < length; i++) {
    if (<i32>load<u16>(estimates + (<usize>i << 1)) < least) continue;
    store<u32>(out + (<usize>(found++) << 2), first + i);
  }
  return found;
}

function sumOf(four: v128): i32 {
  return (
    i32x4.extract_lane(four, 0) +
    i32x4.extract_lane(four, 1) +
    i32x4.extract_lane(four, 2) +
    i32x4.extract_lane(four, 3)
  );
}
