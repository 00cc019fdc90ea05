import { existsSync } from "node:fs";
import { resolve } from "node:path";
import type { ResolvedConfig } from "../../../config/load.ts";
import { type CheckResult, checkAgainst } from "../../../eval/check.ts";
import { caution } from "../../../eval/ladder/advise.ts";
import { questionsAsked, unscoredOf, withInterval } from "../../../eval/report/figures.ts";
import { readResult, writeResult } from "../../../eval/result-file.ts";
import type { RunResult } from "../../../eval/rows.ts";
import { defaultMetrics, runQuestions } from "../../../eval/run.ts";
import { summarise } from "../../../eval/summary.ts";
import { KonteksError } from "../../../spec/index.ts";
import { columns } from "../../print/layout.ts";
import { configOf, EXIT, note, printJson, type Session } from "../../session.ts";
import { type AskedIndex, withAskedIndex } from "./asked-index.ts";
import { metricsFlag, numberFlag, saveFlag, textFlag } from "./flags.ts";

const usual = ["recall@20", "mrr@10", "ndcg@10"] as const;

export async function run(session: Session, [folder]: readonly string[]): Promise<number> {
  const config = await configOf(session);
  const metrics = metricsFlag(session, "metrics") ?? usual;
  const tolerance = (numberFlag(session, "tolerance") ?? 0) / 100;
  const baseline = await baselineOf(session);
  saveFlag(session);
  const { result, leftOut } = await withAskedIndex(session, config, folder, "eval check", async (asked) => ({
    result: await measure(session, config, asked, metrics),
    leftOut: asked.set.leftOut?.map(({ id }) => id),
  }));
  const checked = baseline && checkAgainst(baseline, result, { metrics, tolerance });
  await save(session, result);
  tell(session, result, leftOut, metrics, checked);
  return checked?.ok === false ? EXIT.failed : EXIT.done;
}

/** Read before anything is asked, so that a wrong name costs no time. */
async function baselineOf(session: Session): Promise<RunResult | undefined> {
  const typed = textFlag(session, "baseline");
  if (typed === undefined) {
    if (textFlag(session, "save") !== undefined) return undefined;
    throw new KonteksError(
      "wrong-option",
      "There is nothing to check against. Give --baseline <file>, or make one with --save <file>.",
    );
  }
  const path = resolve(session.cwd, typed);
  if (existsSync(path)) return readResult(path);
  throw new KonteksError(
    "not-found",
    `There is no baseline ${typed}. Make one on a state that is good: \`konteks eval check --save ${typed}\`.`,
    { facts: { path } },
  );
}

async function measure(
  session: Session,
  { search }: ResolvedConfig,
  { konteks, set, facts }: AskedIndex,
  metrics: readonly string[],
): Promise<RunResult> {
  const { k: _, ...common } = search;
  const all = [...new Set([...defaultMetrics, ...metrics])];
  const rows = await runQuestions(konteks, set.questions, {
    search: common,
    metrics: all,
    signal: session.signal,
  });
  return { set: set.name, setting: "index", index: facts, rows };
}

async function save(session: Session, result: RunResult): Promise<void> {
  const path = saveFlag(session);
  if (path === undefined) return;
  await writeResult(path, result);
  note(session, `Wrote ${path}`);
}

function tell(
  session: Session,
  result: RunResult,
  leftOut: readonly string[] | undefined,
  metrics: readonly string[],
  checked: CheckResult | undefined,
): void {
  const summary = summarise(result.rows, metrics);
  if (session.json) {
    const { index, set, rows } = result;
    printJson(session, {
      set,
      questions: rows.length,
      leftOut,
      index,
      summary,
      ok: checked?.ok,
      lines: checked?.lines,
    });
    return;
  }
  const figures = columns(metrics.map((name) => [name, withInterval(summary[name])]));
  const unscored = unscoredOf(result.rows);
  const asked = `${questionsAsked(result.rows.length, unscored)}.`;
  const told = [asked, ...caution(result.rows.length - unscored)].join(" ");
  session.io.print([...figures, "", told].join("\n"));
  if (checked === undefined) return;
  session.io.print(["", ...checked.lines, checked.ok ? "Held." : "Fell below the baseline."].join("\n"));
}
