import { existsSync } from "node:fs";
import { resolve } from "node:path";
import type { ResolvedConfig } from "../../../config/load.ts";
import { documentsOf } from "../../../eval/build.ts";
import { type CheckResult, checkAgainst } from "../../../eval/check.ts";
import { readQuestions, withCorpus } from "../../../eval/dataset/read.ts";
import { withInterval } from "../../../eval/report/figures.ts";
import { readResult, writeResult } from "../../../eval/result-file.ts";
import type { RunResult } from "../../../eval/rows.ts";
import { defaultMetrics, runQuestions } from "../../../eval/run.ts";
import { isSimulated, refuseSimulated } from "../../../eval/simulated.ts";
import { summarise } from "../../../eval/summary.ts";
import { type Konteks, KonteksError, NO_USAGE } from "../../../spec/index.ts";
import { exitCodeOf, ingestPaths } from "../../ingesting.ts";
import { existingIndex, existingPath, writableIndex } from "../../paths.ts";
import { columns } from "../../print/layout.ts";
import { configOf, EXIT, indexPath, note, printJson, type Session, withIndex } from "../../session.ts";
import { metricsFlag, numberFlag, textFlag } from "./flags.ts";
import { questionsPath } from "./questions.ts";
import { refuseStale } from "./stale.ts";

const usual = ["recall@20", "mrr@10", "ndcg@10"] as const;

export async function run(session: Session, [folder]: readonly string[]): Promise<number> {
  const config = await configOf(session);
  const metrics = metricsFlag(session, "metrics") ?? usual;
  const tolerance = (numberFlag(session, "tolerance") ?? 0) / 100;
  const baseline = await baselineOf(session);
  const result = await measure(session, config, folder, metrics);
  const checked = baseline && checkAgainst(baseline, result, { metrics, tolerance });
  await save(session, result);
  tell(session, result, metrics, checked);
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
  config: ResolvedConfig,
  folder: string | undefined,
  metrics: readonly string[],
): Promise<RunResult> {
  // Questions of an evaluation are no traffic.
  const { queryLog: _, ...open } = config.open;
  if (folder === undefined) {
    const path = existingIndex(indexPath(config, session.cwd), session.cwd, "eval check");
    return withIndex(session, { ...open, path, mustExist: true, readOnly: true }, async (konteks) => {
      await refuseStale(konteks);
      return ask(session, config, konteks, metrics);
    });
  }
  const source = existingPath(folder, session.cwd);
  const path = writableIndex(indexPath(config, source), "eval");
  return withIndex(session, { ...open, path }, async (konteks) => {
    const report = await ingestPaths(session, konteks, config, [source]);
    if (exitCodeOf(report) !== EXIT.done) throw unfinished(report.failed.length + report.incomplete.length);
    return ask(session, config, konteks, metrics);
  });
}

function unfinished(count: number): KonteksError {
  return new KonteksError(
    "unreadable",
    `${count} documents could not be indexed as asked, so the figures would be wrong. Run \`konteks ingest\` to see which.`,
    { facts: { count } },
  );
}

async function ask(
  session: Session,
  { search }: ResolvedConfig,
  konteks: Konteks,
  metrics: readonly string[],
): Promise<RunResult> {
  const documents = await documentsOf(konteks, "the index");
  const set = withCorpus(await readQuestions(questionsPath(session)), documents);
  const chunks = (await Promise.all(documents.map(({ id = "" }) => konteks.chunks(id)))).flat();
  const simulated = chunks.filter(({ context }) => isSimulated(context.text)).length;
  refuseSimulated(simulated, false);
  const { k: _, ...common } = search;
  const all = [...new Set([...defaultMetrics, ...metrics])];
  const rows = await runQuestions(konteks, set.questions, {
    search: common,
    metrics: all,
    signal: session.signal,
  });
  const tokens = chunks.reduce((sum, { chunk }) => sum + chunk.tokens, 0);
  const usage = { contexts: NO_USAGE, embeddings: NO_USAGE };
  const counts = { documents: documents.length, chunks: chunks.length, tokens, ms: 0, usage };
  return { set: set.name, setting: "index", index: { ...counts, incomplete: 0, simulated }, rows };
}

async function save(session: Session, result: RunResult): Promise<void> {
  const typed = textFlag(session, "save");
  if (typed === undefined) return;
  await writeResult(resolve(session.cwd, typed), result);
  note(session, `Wrote ${typed}`);
}

function tell(
  session: Session,
  result: RunResult,
  metrics: readonly string[],
  checked: CheckResult | undefined,
): void {
  const summary = summarise(result.rows, metrics);
  if (session.json) {
    const { index, set, rows } = result;
    printJson(session, {
      set,
      questions: rows.length,
      index,
      summary,
      ok: checked?.ok,
      lines: checked?.lines,
    });
    return;
  }
  session.io.print(columns(metrics.map((name) => [name, withInterval(summary[name])])).join("\n"));
  if (checked === undefined) return;
  session.io.print(["", ...checked.lines, checked.ok ? "Held." : "Fell below the baseline."].join("\n"));
}
