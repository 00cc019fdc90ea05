/** Windows in a bank (kernel.as): the step in which memory grows, and what a thread estimates in one go. */
export const BANK_SHIFT = 14;
export const BANK_WINDOWS = 2 ** BANK_SHIFT;
/** Bytes from one component's 4-bit codes to the next one's. */
export const ROW = 8_256;
/** Windows whose 4-bit codes are written together. */
export const GROUP = 16;
/** Numbers of the histogram: of each 16-bit estimate, and of each 256 of them. */
const HISTOGRAM = 65_536 + 256;
/** Threads that a memory has room for: the one that owns it, and its helpers. */
export const MOST_THREADS = 4;

/** Numbers from `start` up to `end`. */
export interface Range {
  readonly start: number;
  readonly end: number;
}

export type Layout = ReturnType<typeof layOut>;

/** Where things lie in the kernel's memory, as byte offsets; the banks follow at `head`, `stride` bytes apart. */
export function layOut(dimensions: number) {
  const width = roundUp(dimensions, 16);
  let next = 0;
  const take = (size: number) => {
    const place = next;
    next += roundUp(size, 64);
    return place;
  };
  const places = {
    dimensions,
    width,
    query: take(width * 2),
    /** Of the scan under way (vector-blocks.ts). */
    scan: take(64),
    chosen: take(width * 4),
    sketch: take(width * 8),
    bar: take(8),
    histogram: take(HISTOGRAM * 4),
    found: take(BANK_WINDOWS * 4),
    out: take(BANK_WINDOWS * 4),
    scales: take(GROUP * 4),
    scratch: take(512),
  };
  const [head, rows] = [next, BANK_WINDOWS * width];
  next = 0;
  take(rows + ROW * width);
  const estimates = take(MOST_THREADS * BANK_WINDOWS * 2);
  const notes = take(64);
  return { ...places, head, rows, estimates, notes, stride: next };
}

export function bankAt({ head, stride }: Layout, bank: number): number {
  return head + bank * stride;
}

export function codesAt(layout: Layout, window: number): number {
  return bankAt(layout, window >>> BANK_SHIFT) + (window % BANK_WINDOWS) * layout.width;
}

/** A thread's estimates of a bank: nobody else writes there. */
export function estimatesAt(layout: Layout, bank: number, thread: number): number {
  return bankAt(layout, bank) + layout.estimates + thread * BANK_WINDOWS * 2;
}

/** Cut where banks end; the kernel works within one. */
export function* byBank({ start, end }: Range): Generator<Range> {
  for (let from = start; from < end; ) {
    const to = Math.min(end, ((from >>> BANK_SHIFT) + 1) << BANK_SHIFT);
    yield { start: from, end: to };
    from = to;
  }
}

function roundUp(size: number, step: number): number {
  return Math.ceil(size / step) * step;
}
