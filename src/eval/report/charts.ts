import type { Ladder, LadderRow } from "../ladder/ladder.ts";
import { recall } from "../metrics/recall.ts";
import { millisecondsAcross, percentAcross, percentUp } from "./axes.ts";
import { curvesChart, fromFirst } from "./curves-chart.ts";
import { apart, type ChartSize, percentOf, plotter, type Svg, series } from "./plotter.ts";

/** Each step's recall at 5, 10 and 20 with its interval. */
export async function ladderChart(ladder: Ladder, size: ChartSize): Promise<Svg> {
  const names = ["recall@5", "recall@10", "recall@20"].filter((name) => ladder.metrics.includes(name));
  const points = ladder.steps.flatMap(({ name, summary }) =>
    names.flatMap((metric) => {
      const interval = summary[metric];
      return interval === undefined ? [] : [{ step: name, metric, ...percentOf(interval) }];
    }),
  );
  const { plot, lib } = await plotter();
  const across = { y: "metric", fy: "step", stroke: "metric" } as const;
  return plot({
    width: size.width,
    marginLeft: 70,
    marginRight: size.names,
    height: 70 + 58 * ladder.steps.length,
    marginBottom: 40,
    x: percentAcross(
      "gold passages found",
      points.flatMap(({ low, high }) => [low, high]),
      size.width - size.names,
    ),
    y: { label: null, domain: names },
    fy: { label: null, domain: ladder.steps.map(({ name }) => name), padding: 0.15 },
    color: { domain: names, range: series },
    marks: [
      lib.ruleY(points, { ...across, x1: "low", x2: "high", strokeWidth: 2 }),
      lib.dot(points, { y: "metric", fy: "step", x: "mean", fill: "metric", r: 4 }),
    ],
  });
}

/** Recall by depth, a line for each step. */
export function depthChart({ steps }: Ladder, size: ChartSize): Promise<Svg> {
  const curves = steps.map((step) => ({ name: step.name, points: fromFirst(curve(step, 20)) }));
  return curvesChart(curves, "recall", size);
}

/** Time of a query against recall@20. */
export async function latencyChart(ladder: Ladder, size: ChartSize): Promise<Svg> {
  const points = ladder.steps.flatMap(({ name, latency, summary }) => {
    const interval = summary["recall@20"];
    return interval === undefined
      ? []
      : [{ step: name, ms: latency.p50, slow: latency.p95, ...percentOf(interval) }];
  });
  const up = percentUp(
    "recall@20",
    points.flatMap(({ low, high }) => [low, high]),
  );
  const labels = apart(
    points.map((point) => ({ ...point, value: point.mean })),
    up.domain,
    240,
  );
  const { plot, lib } = await plotter();
  return plot({
    width: size.width,
    height: 310,
    marginRight: size.names,
    marginLeft: 44,
    marginBottom: 46,
    x: millisecondsAcross(
      "ms a query, median to 95th percentile",
      points.flatMap(({ ms, slow }) => [ms, slow]),
    ),
    y: up,
    color: { domain: points.map(({ step }) => step), range: series },
    marks: [
      lib.ruleX(points, { x: "ms", y1: "low", y2: "high", stroke: "step" }),
      lib.link(points, { x1: "ms", x2: "slow", y1: "mean", y2: "mean", stroke: "step" }),
      lib.dot(points, { x: "ms", y: "mean", fill: "step", r: 4 }),
      lib.text(labels, {
        frameAnchor: "right",
        y: "label",
        text: "step",
        fill: "step",
        dx: 8,
        textAnchor: "start",
      }),
    ],
  });
}

/** Mean recall at 1 … depth. */
export function curve(step: Pick<LadderRow, "rows">, depth: number): readonly number[] {
  const scored = step.rows.filter((row) => row.places.length > 0);
  return Array.from({ length: depth }, (_, index) => {
    const values = scored.map(
      ({ places }) => recall({ places, grades: places.map(() => 1), lengths: [], hits: [] }, index + 1) ?? 0,
    );
    return (100 * values.reduce((total, value) => total + value, 0)) / Math.max(1, values.length);
  });
}
