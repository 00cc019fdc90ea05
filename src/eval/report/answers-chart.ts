import type { AnswerRow } from "../answers/judge-answer.ts";
import type { AnswersResult } from "../answers/run-answers.ts";
import { type ChartSize, plotter, type Svg, series } from "./plotter.ts";

const [BLUE = "", ORANGE = "", GREEN = "", , , GREY = ""] = series;

/** How many questions came out how, and for those that did not come out right whether their gold was in the evidence. */
export async function answersChart({ rows }: AnswersResult, { width }: ChartSize): Promise<Svg> {
  const bars = [...Map.groupBy(rows.map(kindOf), ({ name }) => name).values()]
    .flatMap((alike) => alike.slice(0, 1).map((kind) => ({ ...kind, count: alike.length })))
    .sort((a, b) => ORDER.indexOf(a.name) - ORDER.indexOf(b.name));
  const { plot, lib } = await plotter();
  return plot({
    width,
    height: 30 + 30 * bars.length,
    marginLeft: 176,
    marginRight: 50,
    marginTop: 10,
    marginBottom: 20,
    x: { axis: null },
    color: { type: "identity" },
    y: { label: null, domain: bars.map(({ name }) => name), padding: 0.3, tickSize: 0 },
    marks: [
      lib.barX(bars, { y: "name", x: "count", fill: "colour", insetLeft: 1 }),
      lib.text(bars, {
        y: "name",
        x: "count",
        text: ({ count }: { count: number }) => String(count),
        dx: 6,
        textAnchor: "start",
        fill: "currentColor",
      }),
    ],
  });
}

/** Without gold nothing can be said of the evidence. */
function kindOf({ outcome, fault }: AnswerRow): { readonly name: string; readonly colour: string } {
  const name = outcome === "made up" || fault === undefined ? outcome : `${outcome}, ${WHERE[fault]}`;
  return { name, colour: outcome === "right" ? GREEN : fault === "retrieval" ? ORANGE : fault ? BLUE : GREY };
}

const WHERE = { retrieval: "gold missing", answer: "gold there" } as const;

const ORDER: readonly string[] = ["right", "wrong", "not answered"]
  .flatMap((outcome) => [outcome, `${outcome}, ${WHERE.retrieval}`, `${outcome}, ${WHERE.answer}`])
  .concat("made up", "not scored");
