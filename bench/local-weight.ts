import { shuffled } from "../src/eval/random.ts";
import { signed } from "../src/eval/report/figures.ts";
import { table } from "../src/eval/report/table.ts";
import { certain, differences, type Scored } from "../src/eval/summary.ts";
import { type LocalSet, PUBLISHED } from "./local-cases.ts";
import { alone, type Fusion, fused, scored } from "./local-orders.ts";
import { meanOf, nameOf } from "./local-report.ts";

const WEIGHTS = [0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 1, 1.5, 2];
const FUSIONS: readonly Fusion[] = (
  [
    ["scores", 1],
    ["scores", 0],
    ["rrf", 0],
  ] as const
).flatMap(([method, unknown]) => WEIGHTS.map((weight) => ({ method, weight, unknown })));
/** What a fusion is chosen by. */
const METRICS = ["recall@5", "ndcg@10"];
const SEED = 9;
const bootstrap = { resamples: 1000 };

/** What a fusion does on one half of the questions. */
interface Gain {
  readonly text: string;
  /** Sum over `METRICS` of the mean over the sets. */
  readonly sum: number;
  readonly lost: readonly string[];
}

/**
 * Half of every set's questions chooses fusion and weight, the other half says what they are worth: every set counts the same, and what is
 * certainly worse than BM25 alone on any set is out.
 */
export function weightTable(sets: readonly LocalSet[]): string {
  const counted = sets.filter(({ set }) => set !== PUBLISHED);
  const halves = counted.map(({ set, cases }) => {
    const chooses = new Set(
      shuffled(cases, SEED)
        .slice(0, cases.length / 2)
        .map(({ id }) => id),
    );
    const base = cases.map((one) =>
      scored(
        one,
        alone(one, "text").map(({ finds }) => finds),
      ),
    );
    return { set, cases, base, chooses };
  });
  const found = FUSIONS.map((fusion) => {
    const rows = halves.map(({ cases }) =>
      cases.map((one) =>
        scored(
          one,
          fused(one, fusion).map(({ candidate }) => candidate.finds),
        ),
      ),
    );
    const gain = (choosing: boolean) =>
      gainOf(
        halves.map(({ set, base, chooses }, i) => {
          const keep = ({ id }: Scored) => chooses.has(id) === choosing;
          return { set, before: base.filter(keep), after: (rows[i] ?? []).filter(keep) };
        }),
      );
    return { fusion, chosen: gain(true), held: gain(false) };
  });
  const safe = found.filter(({ chosen }) => chosen.lost.length === 0);
  const best = safe.toSorted((a, b) => b.chosen.sum - a.chosen.sum)[0];
  const lines = found.map(({ fusion, chosen, held }) => [
    `${nameOf(fusion)}${fusion === best?.fusion ? " ← chosen" : ""}`,
    chosen.text,
    chosen.lost.join(", ") || "no set",
    held.text,
    held.lost.join(", ") || "no set",
  ]);
  const header = ["", `chooses: ${METRICS.join(", ")}`, "certainly worse", "held back", "certainly worse"];
  return `## Fusion and weight: half of the questions chooses, the other half is held back\n\nDifference to BM25 alone in points, mean over ${counted.length} sets\n\n${table(header, lines)}`;
}

interface Pair {
  readonly set: string;
  readonly before: readonly Scored[];
  readonly after: readonly Scored[];
}

function gainOf(pairs: readonly Pair[]): Gain {
  const changes = pairs.map(({ before, after }) => differences(before, after, METRICS, bootstrap));
  const means = METRICS.map((metric) => meanOf(changes.flatMap((change) => change[metric] ?? [])));
  const lost = pairs.flatMap(({ set }, i) => {
    const down = METRICS.some((metric) => {
      const change = changes[i]?.[metric];
      return change !== undefined && certain(change) === "down";
    });
    return down ? [set] : [];
  });
  return { text: means.map(signed).join(", "), sum: means.reduce((sum, { mean }) => sum + mean, 0), lost };
}
