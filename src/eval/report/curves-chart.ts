import { depthAcross, percentUp } from "./axes.ts";
import { apart, type ChartSize, plotter, type Svg, series } from "./plotter.ts";

/** A figure by how many hits are read. */
export interface Curve {
  readonly name: string;
  /** Per cent, by the number of hits, ascending. */
  readonly points: readonly { readonly k: number; readonly value: number }[];
}

/** A figure for each number of hits from 1 on. */
export function fromFirst(values: readonly number[]): Curve["points"] {
  return values.map((value, index) => ({ k: index + 1, value }));
}

/** Lines by depth with their names at their ends; a dashed line marks a depth. */
export async function curvesChart(
  curves: readonly Curve[],
  label: string,
  size: ChartSize,
  marked?: number,
): Promise<Svg> {
  const points = curves.flatMap(({ name, points: own }) => own.map((point) => ({ name, ...point })));
  const depth = Math.max(1, ...points.map(({ k }) => k));
  const up = percentUp(
    label,
    points.map(({ value }) => value),
  );
  const ends = apart(
    curves.flatMap(({ name, points: own }) => own.slice(-1).map((point) => ({ name, ...point }))),
    up.domain,
    HEIGHT - 50,
  );
  const { plot, lib } = await plotter();
  return plot({
    width: size.width,
    height: HEIGHT,
    marginRight: size.names,
    marginLeft: 44,
    marginBottom: 40,
    x: depthAcross(depth),
    y: up,
    color: { domain: curves.map(({ name }) => name), range: series },
    marks: [
      ...(marked === undefined
        ? []
        : [lib.ruleX([marked], { stroke: "currentColor", strokeDasharray: "3 3" })]),
      lib.line(points, { x: "k", y: "value", stroke: "name", strokeWidth: 2 }),
      lib.text(ends, {
        frameAnchor: "right",
        y: "label",
        text: "name",
        fill: "name",
        dx: 8,
        textAnchor: "start",
      }),
    ],
  });
}

/** Pixels. */
const HEIGHT = 330;
