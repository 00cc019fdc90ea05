/*
 * The vector kernel, in AssemblyScript (TypeScript's syntax, compiled to WebAssembly with SIMD). `npm run build:kernel`
 * compiles it into kernel-bytes.ts. All pointers are byte offsets into the imported memory; `width` is the number of
 * bytes of a window's codes, a multiple of 16.
 *
 * A tile holds 128 windows as 4-bit codes, component by component: the 64 bytes of component k hold windows 0 to 63 in
 * their low halves and 64 to 127 in their high halves, each code plus 8. So a scan reads one cache line for each
 * component that the query asks for, and none of the others.
 */

/** Inner products of `count` windows of 8-bit codes with a query of 16-bit codes. */
export function dots(codes: usize, query: usize, count: i32, width: i32, out: usize): void {
  let at = codes;
  for (let i = 0; i < count; i++) {
    let low = i32x4.splat(0);
    let high = i32x4.splat(0);
    for (let k = 0; k < width; k += 16) {
      const block = v128.load(at + k);
      const q = query + (<usize>k << 1);
      low = i32x4.add(low, i32x4.dot_i16x8_s(i16x8.extend_low_i8x16_s(block), v128.load(q)));
      high = i32x4.add(high, i32x4.dot_i16x8_s(i16x8.extend_high_i8x16_s(block), v128.load(q, 16)));
    }
    store<i32>(out + (<usize>i << 2), sumOf(i32x4.add(low, high)));
    at += width;
  }
}

/** Writes a window's codes as 4-bit ones into place `window` of a tile; `scale` turns a code into steps. */
export function spread(codes: usize, scale: f32, width: i32, tile: usize, window: i32): void {
  const shift: u8 = window < 64 ? 0 : 4;
  const keep: u8 = window < 64 ? 0xf0 : 0x0f;
  let to = tile + (<usize>window & 63);
  for (let k = 0; k < width; k++) {
    const step = nearest<f32>(<f32>load<i8>(codes + k) * scale);
    const code = <u8>(<i32>max<f32>(-8, min<f32>(7, step)) + 8);
    store<u8>(to, (load<u8>(to) & keep) | (code << shift));
    to += 64;
  }
}

/**
 * Estimates of the inner products of a tile's windows with the query, as u16. `chosen` lists byte offsets of components
 * in a tile (u32), `count` of them, a multiple of 16; `query` has their codes (i8) in pairs, each pair written eight
 * times over. Sums of 16 products fit 16 bits. What is stored is `(sum + offset) >> shift`. The products are relaxed
 * ones, which differ between processors only where a code's highest bit is set; 4-bit codes have none.
 */
export function estimate(tile: usize, chosen: usize, query: usize, count: i32, offset: i32, shift: i32, out: usize): void {
  const low = i8x16.splat(15);
  for (let quarter: usize = 0; quarter < 64; quarter += 16) {
    let a0 = i32x4.splat(offset);
    let a1 = a0;
    let a2 = a0;
    let a3 = a0;
    let b0 = a0;
    let b1 = a0;
    let b2 = a0;
    let b3 = a0;
    for (let from = 0; from < count; from += 16) {
      let s0 = i16x8.splat(0);
      let s1 = s0;
      let s2 = s0;
      let s3 = s0;
      for (let k = from; k < from + 16; k += 2) {
        const pair = chosen + (<usize>k << 2);
        const first = v128.load(tile + quarter + load<u32>(pair));
        const second = v128.load(tile + quarter + load<u32>(pair, 4));
        const q = v128.load(query + (<usize>k << 3));
        const x = i8x16.shuffle(first, second, 0, 16, 1, 17, 2, 18, 3, 19, 4, 20, 5, 21, 6, 22, 7, 23);
        const y = i8x16.shuffle(first, second, 8, 24, 9, 25, 10, 26, 11, 27, 12, 28, 13, 29, 14, 30, 15, 31);
        s0 = i16x8.add(s0, i16x8.relaxed_dot_i8x16_i7x16_s(q, v128.and(x, low)));
        s1 = i16x8.add(s1, i16x8.relaxed_dot_i8x16_i7x16_s(q, v128.and(y, low)));
        s2 = i16x8.add(s2, i16x8.relaxed_dot_i8x16_i7x16_s(q, v128.and(i16x8.shr_u(x, 4), low)));
        s3 = i16x8.add(s3, i16x8.relaxed_dot_i8x16_i7x16_s(q, v128.and(i16x8.shr_u(y, 4), low)));
      }
      a0 = i32x4.add(a0, i32x4.extend_low_i16x8_s(s0));
      a1 = i32x4.add(a1, i32x4.extend_high_i16x8_s(s0));
      a2 = i32x4.add(a2, i32x4.extend_low_i16x8_s(s1));
      a3 = i32x4.add(a3, i32x4.extend_high_i16x8_s(s1));
      b0 = i32x4.add(b0, i32x4.extend_low_i16x8_s(s2));
      b1 = i32x4.add(b1, i32x4.extend_high_i16x8_s(s2));
      b2 = i32x4.add(b2, i32x4.extend_low_i16x8_s(s3));
      b3 = i32x4.add(b3, i32x4.extend_high_i16x8_s(s3));
    }
    const at = out + (quarter << 1);
    v128.store(at, i16x8.narrow_i32x4_u(i32x4.shr_s(a0, shift), i32x4.shr_s(a1, shift)));
    v128.store(at, i16x8.narrow_i32x4_u(i32x4.shr_s(a2, shift), i32x4.shr_s(a3, shift)), 16);
    v128.store(at, i16x8.narrow_i32x4_u(i32x4.shr_s(b0, shift), i32x4.shr_s(b1, shift)), 128);
    v128.store(at, i16x8.narrow_i32x4_u(i32x4.shr_s(b2, shift), i32x4.shr_s(b3, shift)), 144);
  }
}

/** Counts how often each estimate occurs, as u32. */
export function count(estimates: usize, length: i32, histogram: usize): void {
  for (let i = 0; i < length; i++) {
    const entry = histogram + (<usize>load<u16>(estimates + (<usize>i << 1)) << 2);
    store<u32>(entry, load<u32>(entry) + 1);
  }
}

/** Numbers of the windows with an estimate of at least `least`, as u32, counted from `first`; returns how many. */
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
