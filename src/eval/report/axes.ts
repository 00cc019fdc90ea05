/** A domain with room around the values, so that equal ones are points on an axis and not the whole of it. Per cent. */
export function roomy(values: readonly number[]): [number, number] {
  if (values.length === 0) return [0, 100];
  const [low, high] = [Math.min(...values), Math.max(...values)];
  const room = Math.max((high - low) / 20, (NARROWEST - (high - low)) / 2);
  const [from, to] = [Math.floor(low - room), Math.ceil(high + room)];
  // What does not fit above is added below, so that an axis of 100 alone is as long as any other.
  return [Math.max(0, Math.min(from, 100 - NARROWEST)), Math.min(100, Math.max(to, NARROWEST))];
}

/** Points that an axis spans at least, so that noise does not look like a cliff. */
const NARROWEST = 10;

/** At most so many even figures of a domain. */
function evenly([low, high]: readonly [number, number], most: number): readonly number[] {
  const step = [1, 2, 5, 10, 20, 25, 50].find((each) => (high - low) / each < most) ?? 50;
  const first = Math.ceil(low / step) * step;
  return Array.from({ length: Math.floor((high - first) / step) + 1 }, (_, index) => first + index * step);
}

/** The label stands below the middle of the drawing, whatever room names take beside it. */
const below = { labelAnchor: "center", labelArrow: "none", grid: true } as const;

/** A vertical axis of figures in per cent. */
export function percentUp(label: string, values: readonly number[]) {
  const domain = roomy(values);
  return { label: `↑ ${label}, per cent`, grid: true, domain, ticks: evenly(domain, 8) };
}

/** A horizontal one; `pixels` is its length. */
export function percentAcross(label: string, values: readonly number[], pixels: number) {
  const domain = roomy(values);
  return { ...below, label: `${label}, per cent`, domain, ticks: evenly(domain, pixels / 50) };
}

/** How many hits are read, from 1. */
export function depthAcross(depth: number) {
  const ticks = [1, 2, 5, 10, 20, 30, 40, 50, 100].filter((k) => k <= depth);
  return { ...below, label: "hits read (k)", domain: [1, Math.max(2, depth)], ticks };
}

/** Milliseconds, on a logarithmic axis. */
export function millisecondsAcross(label: string, values: readonly number[]) {
  const [low, high] = [Math.min(...values) / 1.5, Math.max(...values) * 1.5];
  const round = [0.01, 0.1, 1, 10, 100, 1_000, 10_000, 100_000].flatMap((ms) => [ms, 2 * ms, 5 * ms]);
  const ticks = round.filter((ms) => ms >= low && ms <= high);
  return { ...below, label, type: "log" as const, domain: [low, high], ticks, tickFormat: String };
}
