import type { Sweep } from "../sweep/sweep.ts";
import { apart, type ChartSize, percentOf, plotter, type Svg, series } from "./plotter.ts";

const CHOOSES = "questions that choose";
const CONFIRMS = "held back";

/** More would be a wall of lines; the table has all. */
const SHOWN = 15;

/** The best settings, with their figure on the half that chooses and, below it, on the half held back; best first. */
export async function settingsChart(
  { settings, decisive, taken }: Sweep,
  { width }: ChartSize,
): Promise<Svg> {
  const halves = settings.flatMap((row) => [
    { row, half: CHOOSES, interval: row.chosenBy[decisive] },
    { row, half: CONFIRMS, interval: row.confirmedBy[decisive] },
  ]);
  const points = halves.flatMap(({ row, half, interval }) =>
    interval === undefined ? [] : [{ name: row.name, half, ...percentOf(interval) }],
  );
  const sorted = points.filter(({ half }) => half === CHOOSES).sort((a, b) => b.mean - a.mean);
  const chosen = sorted.filter(({ name }, index) => index < SHOWN || name === taken?.name);
  const names = chosen.map(({ name }) => name);
  const drawn = points.filter(({ name }) => names.includes(name));
  const { plot, lib } = await plotter();
  return plot({
    width,
    // Names stand above their lines, so that long ones fit on narrow screens.
    height: 80 + 52 * names.length,
    marginLeft: 10,
    marginTop: 24,
    marginBottom: 46,
    x: {
      labelOffset: 40,
      label: `${decisive}, per cent →`,
      grid: true,
      domain: roomy(drawn.flatMap(({ low, high }) => [low, high])),
    },
    y: { axis: null, domain: [CHOOSES, CONFIRMS], padding: 0.2 },
    fy: { axis: null, domain: names, padding: 0.5 },
    color: { domain: [CHOOSES, CONFIRMS], range: series },
    marks: [
      lib.ruleY(drawn, { fy: "name", y: "half", x1: "low", x2: "high", stroke: "half", strokeWidth: 2 }),
      lib.dot(drawn, { fy: "name", y: "half", x: "mean", fill: "half", r: 4 }),
      lib.text(chosen, { fy: "name", text: "name", frameAnchor: "top-left", dy: -14, fill: "currentColor" }),
    ],
  });
}

/** A domain that is more than a point, also when all figures are equal. Per cent. */
function roomy(values: readonly number[]): [number, number] {
  const [low, high] = [Math.min(...values), Math.max(...values)];
  return [Math.max(0, Math.floor(low - 1)), Math.min(100, Math.ceil(high + 1))];
}

/** Recall and token efficiency of the taken setting by depth. */
export async function curveChart({ depth }: Sweep, size: ChartSize): Promise<Svg> {
  const curve = depth?.curve ?? [];
  const points = curve.flatMap(({ k, recall, tokenEfficiency }) => [
    { k, line: "recall", value: 100 * recall },
    { k, line: "token efficiency", value: 100 * tokenEfficiency },
  ]);
  const labels = apart(
    points.filter(({ k }) => k === curve.length),
    points.map(({ value }) => value),
    270,
  );
  const { plot, lib } = await plotter();
  return plot({
    width: size.width,
    height: 320,
    marginRight: size.names,
    marginLeft: 44,
    x: { label: "k →", domain: [1, curve.length] },
    y: { label: "↑ per cent", grid: true, nice: true },
    color: { domain: ["recall", "token efficiency"], range: series },
    marks: [
      ...(depth === undefined
        ? []
        : [lib.ruleX([depth.k], { stroke: "currentColor", strokeDasharray: "3 3" })]),
      lib.line(points, { x: "k", y: "value", stroke: "line", strokeWidth: 2 }),
      lib.text(labels, {
        x: "k",
        y: "label",
        text: "line",
        fill: "line",
        dx: 8,
        textAnchor: "start",
      }),
    ],
  });
}

/** Time of a query against the figure, a dot for each setting; the taken one is filled. */
export async function costChart(sweep: Sweep, { width }: ChartSize): Promise<Svg> {
  const { settings, decisive, taken } = sweep;
  const points = settings.flatMap((row) => {
    const interval = row.chosenBy[decisive];
    return interval === undefined
      ? []
      : [{ name: row.name, ms: row.latency.p50, taken: row === taken, ...percentOf(interval) }];
  });
  const { plot, lib } = await plotter();
  const place = { x: "ms", y: "mean", r: 5, stroke: series[0] ?? "currentColor", title: "name" } as const;
  return plot({
    width,
    height: 290,
    marginLeft: 44,
    marginBottom: 46,
    x: { labelOffset: 40, label: "ms a query, median →", type: "log", grid: true },
    y: { label: `↑ ${decisive}, per cent`, grid: true, domain: roomy(points.map(({ mean }) => mean)) },
    marks: [
      lib.dot(points, place),
      lib.dot(
        points.filter((point) => point.taken),
        { ...place, fill: series[0] ?? "currentColor" },
      ),
      lib.text(
        points.filter((point) => point.taken),
        { x: "ms", y: "mean", text: () => "taken", dy: -12, fill: "currentColor" },
      ),
    ],
  });
}
