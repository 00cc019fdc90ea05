/** A chart as an SVG string. Colours are the page's CSS variables, so that it follows light and dark. */
export type Svg = string;

export interface ChartSize {
  readonly width: number;
  /** Room for the names of steps, left. */
  readonly names: number;
}

export const wide: ChartSize = { width: 860, names: 130 };
export const narrow: ChartSize = { width: 360, names: 118 };

/** Colours of series, in order; the page defines them. */
export const series = Array.from({ length: 9 }, (_, index) => `var(--series-${index + 1})`);

export function percentOf({ mean, low, high }: { mean: number; low: number; high: number }) {
  return { mean: 100 * mean, low: 100 * low, high: 100 * high };
}

/**
 * Labels beside a chart, pushed apart so that none covers another; `value` and `label` are in units of the y axis, which
 * reaches over `domain` and is `pixels` high.
 */
export function apart<T extends { readonly value: number }>(
  points: readonly T[],
  [low, high]: readonly [number, number],
  pixels: number,
): readonly (T & { label: number })[] {
  const gap = (LINE * (high - low)) / pixels;
  let last = Number.POSITIVE_INFINITY;
  return [...points]
    .sort((a, b) => b.value - a.value)
    .map((point) => {
      last = Math.min(point.value, last - gap);
      return { ...point, label: last };
    });
}

/** Height of a line of text. */
const LINE = 17;

/** The plotting library and a DOM for it, loaded when the first chart is drawn. */
export async function plotter() {
  const [lib, { parseHTML }] = await Promise.all([import("@observablehq/plot"), import("linkedom")]);
  const { document } = parseHTML("<html><body></body></html>");
  type PlotOptions = NonNullable<Parameters<typeof lib.plot>[0]>;
  const dom = document as unknown as NonNullable<PlotOptions["document"]>;
  const plot = (options: PlotOptions): Svg =>
    lib.plot({ ...options, document: dom, style: { overflow: "visible", background: "none" } }).outerHTML;
  return { plot, lib };
}
