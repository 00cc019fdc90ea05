import type { ResolvedConfig } from "../../../config/load.ts";
import { answersRun } from "../../../eval/answers/answers-run.ts";
import { type AnswersResult, runAnswers } from "../../../eval/answers/run-answers.ts";
import { writeResult } from "../../../eval/result-file.ts";
import type { AskOptions } from "../../../spec/index.ts";
import { askOptions } from "../../ask-flags.ts";
import { configOf, EXIT, indexPath, note, type Session } from "../../session.ts";
import { readThresholds } from "../../thresholds.ts";
import { type AskedIndex, withAskedIndex } from "./asked-index.ts";
import { saveFlag } from "./flags.ts";
import { answersJournal, graderOf, priceAnswers } from "./paying-answers.ts";
import { answersRenderings } from "./renderings.ts";
import { reportFiles, tellResult } from "./reports.ts";

export async function run(session: Session, [folder]: readonly string[]): Promise<number> {
  reportFiles(session);
  saveFlag(session);
  const config = await configOf(session);
  return withAskedIndex(session, config, folder, "eval answers", async (asked) => {
    const result = await answer(session, config, asked);
    await save(session, result, asked);
    await tellResult(session, answersRenderings(result));
    return EXIT.done;
  });
}

async function answer(
  session: Session,
  config: ResolvedConfig,
  { konteks, set, path }: AskedIndex,
): Promise<AnswersResult> {
  const { model } = config.open;
  const thresholds = path === undefined ? undefined : readThresholds(path);
  const ask: AskOptions = {
    ...config.search,
    ...askOptions(session.flags),
    ...(thresholds && { thresholds }),
    ...(model !== undefined && { model }),
  };
  const grader = await graderOf(session, config);
  await priceAnswers(session, set, config, ask, grader);
  const pays = model !== undefined || grader !== undefined;
  return runAnswers(konteks, set, {
    ask,
    ...(config.open.contextPrices && { prices: config.open.contextPrices }),
    ...(grader && { grader }),
    ...(pays && { journal: answersJournal(path ?? indexPath(config, session.cwd)) }),
    signal: session.signal,
    onProgress: (done, of) => pays && done % 10 === 0 && note(session, `${done} of ${of} questions`),
  });
}

async function save(session: Session, result: AnswersResult, { facts }: AskedIndex): Promise<void> {
  const path = saveFlag(session);
  if (path === undefined) return;
  await writeResult(path, answersRun(result, facts));
  note(session, `Wrote ${path}`);
}
