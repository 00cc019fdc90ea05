/*
 * The vector kernel, in AssemblyScript (TypeScript's syntax, compiled to WebAssembly with SIMD). `npm run build:kernel`
 * compiles it into kernel-bytes.ts. All pointers are byte offsets into the imported memory; `width` is the number of
 * bytes of a window's codes, a multiple of 16.
 *
 * A bank holds 4,096 windows: their 8-bit codes, window after window, and 4-bit codes in rows, one for each component.
 * The 2,048 bytes of a row hold windows 0 to 2,047 in their low halves and the others in their high halves, each code
 * plus 8. So a scan reads rows from end to end, which processors foresee, and none that the query does not ask for. The
 * bytes between rows keep these from falling on the same lines of the processor's cache.
 */

const ROW: usize = 2048;
const NEXT_ROW: usize = 2112;

/** Inner products of `count` windows of 8-bit codes with a query of 16-bit codes. */
export function dots(codes: usize, query: usize, count: i32, width: i32, out: usize): void {
  let at = codes;
  for (let i = 0; i < count; i++) {
    store<i32>(out + (<usize>i << 2), dot(at, query, width));
    at += width;
  }
}

/** The same for windows by their numbers (u32); banks begin at `head` and are `stride` bytes apart. */
export function dotsOf(windows: usize, query: usize, count: i32, width: i32, head: usize, stride: usize, out: usize): void {
  for (let i = 0; i < count; i++) {
    const window = load<u32>(windows + (<usize>i << 2));
    const at = head + <usize>(window >>> 12) * stride + <usize>(window & 4095) * <usize>width;
    store<i32>(out + (<usize>i << 2), dot(at, query, width));
  }
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
  const shift: i32 = window < 2048 ? 0 : 4;
  const keep = i8x16.splat(window < 2048 ? <i8>0xf0 : 0x0f);
  for (let k = 0; k < width; k += 16) {
    for (let i: usize = 0; i < 16; i++) {
      const block = v128.load(codes + i * <usize>width + <usize>k);
      v128.store(scratch + (i << 4), steps(block, f32x4.splat(load<f32>(scales + (i << 2)))));
    }
    transpose(scratch, scratch + 256);
    transpose(scratch + 256, scratch);
    transpose(scratch, scratch + 256);
    transpose(scratch + 256, scratch);
    let to = rows + <usize>k * NEXT_ROW + <usize>(window & 2047);
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
    v128.store(to, i16x8.add(v128.load(to, 4096), i16x8.shr_s(s2, shift)), 4096);
    v128.store(to, i16x8.add(v128.load(to, 4112), i16x8.shr_s(s3, shift)), 4112);
  }
}

/**
 * Numbers of the windows with an estimate of at least `least`, as u32, counted from `first`, and how often each such
 * estimate occurs, added to `histogram` (u32). Returns how many.
 */
export function atLeast(estimates: usize, length: i32, least: i32, first: i32, out: usize, histogram: usize): i32 {
  const bound = i16x8.splat(<i16>least);
  let found = 0;
  let i = 0;
  for (; i + 8 <= length; i += 8) {
    let mask = i16x8.bitmask(i16x8.ge_u(v128.load(estimates + (<usize>i << 1)), bound));
    while (mask != 0) {
      take(estimates, i + ctz(mask), first, out + (<usize>(found++) << 2), histogram);
      mask &= mask - 1;
    }
  }
  for (; i < length; i++) {
    if (<i32>load<u16>(estimates + (<usize>i << 1)) < least) continue;
    take(estimates, i, first, out + (<usize>(found++) << 2), histogram);
  }
  return found;
}

// @ts-ignore: decorator
@inline
function take(estimates: usize, i: i32, first: i32, out: usize, histogram: usize): void {
  store<u32>(out, first + i);
  const entry = histogram + (<usize>load<u16>(estimates + (<usize>i << 1)) << 2);
  store<u32>(entry, load<u32>(entry) + 1);
}

function sumOf(four: v128): i32 {
  return (
    i32x4.extract_lane(four, 0) +
    i32x4.extract_lane(four, 1) +
    i32x4.extract_lane(four, 2) +
    i32x4.extract_lane(four, 3)
  );
}
