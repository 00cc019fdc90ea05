import type { ChosenDepth } from "../sweep/depth.ts";
import type { Sweep } from "../sweep/sweep.ts";
import { millisecondsAcross, percentAcross, percentUp } from "./axes.ts";
import { type Curve, curvesChart, fromFirst } from "./curves-chart.ts";
import { type ChartSize, percentOf, plotter, type Svg, series } from "./plotter.ts";

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
    x: percentAcross(
      decisive,
      drawn.flatMap(({ low, high }) => [low, high]),
      width,
    ),
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

/** Recall and token efficiency of the taken setting by depth, and how many answers are correct where a model tells. */
export function curveChart({ depth }: Sweep, size: ChartSize): Promise<Svg> {
  const curve = depth?.curve ?? [];
  const curves = [
    { name: "recall", points: fromFirst(curve.map(({ recall }) => 100 * recall)) },
    { name: "token efficiency", points: fromFirst(curve.map((row) => 100 * row.tokenEfficiency)) },
    ...(depth?.answered === undefined
      ? []
      : [{ name: "correct answers", points: correctPoints(depth.answered) }]),
  ];
  return curvesChart(curves, "share", size, depth?.k);
}

function correctPoints({ depths }: NonNullable<ChosenDepth["answered"]>): Curve["points"] {
  return depths.flatMap(({ k, correct }) => (correct ? [{ k, value: 100 * correct.mean }] : []));
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
    x: millisecondsAcross(
      "ms a query, median",
      points.map(({ ms }) => ms),
    ),
    y: percentUp(
      decisive,
      points.map(({ mean }) => mean),
    ),
    marks: [
      lib.dot(points, place),
      lib.dot(
        points.filter((point) => point.taken),
        { ...place, fill: series[0] ?? "currentColor" },
      ),
      lib.text(
        points.filter((point) => point.taken),
        { x: "ms", y: "mean", text: () => "taken", dx: 9, dy: 9, textAnchor: "start", fill: "currentColor" },
      ),
    ],
  });
}
