import { type ChangedQuestion, type Comparison, compareRuns } from "../../../eval/compare.ts";
import { directionOf } from "../../../eval/metrics/metrics.ts";
import { signed } from "../../../eval/report/figures.ts";
import { table } from "../../../eval/report/table.ts";
import { readResult } from "../../../eval/result-file.ts";
import { existingPath } from "../../paths.ts";
import { EXIT, printJson, type Session } from "../../session.ts";
import { metricsFlag } from "./flags.ts";

/** Changed questions that are shown in each direction; `--json` has all. */
const SHOWN = 20;

export async function run(session: Session, args: readonly string[]): Promise<number> {
  const [before = "", after = ""] = args.map((typed) => existingPath(typed, session.cwd));
  const metrics = metricsFlag(session, "metrics", directionOf);
  const runs = [await readResult(before), await readResult(after)] as const;
  const comparison = compareRuns(...runs, metrics === undefined ? {} : { metrics });
  if (session.json) printJson(session, comparison);
  else session.io.print(render(comparison));
  return EXIT.done;
}

function render({ differences, onlyBefore, onlyAfter, worse, better }: Comparison): string {
  const rows = Object.entries(differences).map(([name, difference]) => [
    name,
    signed(difference),
    `${difference.up} / ${difference.down}`,
    String(difference.n),
  ]);
  const first = Object.keys(differences)[0] ?? "";
  return [
    table(["metric", "change, points", "up / down", "questions"], rows),
    ...listed(`Worse by ${first}`, worse),
    ...listed(`Better by ${first}`, better),
    ...only("before", onlyBefore),
    ...only("after", onlyAfter),
  ].join("\n");
}

function listed(title: string, questions: readonly ChangedQuestion[]): readonly string[] {
  if (questions.length === 0) return ["", `${title}: none`];
  const lines = questions
    .slice(0, SHOWN)
    .map(({ id, text, before, after }) => `  ${before.toFixed(2)} → ${after.toFixed(2)}  ${id}: ${text}`);
  const more = questions.length > SHOWN ? [`  … and ${questions.length - SHOWN} more`] : [];
  return ["", `${title}: ${questions.length}`, ...lines, ...more];
}

function only(where: string, ids: readonly string[]): readonly string[] {
  return ids.length === 0 ? [] : ["", `Asked only ${where}, and not compared: ${ids.join(", ")}`];
}
