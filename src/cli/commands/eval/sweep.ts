import type { ResolvedConfig } from "../../../config/load.ts";
import { metric } from "../../../eval/metrics/metrics.ts";
import { tablePrices } from "../../../eval/price.ts";
import { ANSWERED_DEPTHS } from "../../../eval/sweep/depth.ts";
import { type SweepGrid, sweepGroups } from "../../../eval/sweep/settings.ts";
import { runSweep } from "../../../eval/sweep/sweep.ts";
import type { EvaluationSet } from "../../../eval/types.ts";
import { configOf, EXIT, note, type Session } from "../../session.ts";
import { listFlag, textFlag } from "./flags.ts";
import { nameOf, openWith } from "./open.ts";
import { keepContexts, paidFolder, priceContexts, tellEmbeddings } from "./paying.ts";
import { answersBeside } from "./paying-answers.ts";
import { evaluationSet } from "./questions.ts";
import { sweepRenderings } from "./renderings.ts";
import { reportFiles, tellResult } from "./reports.ts";
import { gridOf } from "./vary.ts";

export async function run(session: Session, [folder]: readonly string[]): Promise<number> {
  reportFiles(session);
  const config = await configOf(session);
  const grid = gridOf(listFlag(session, "vary"), config.open.chunk, session.cwd);
  const decisive = textFlag(session, "metric") ?? "recall-tokens@4000";
  metric(decisive);
  const set = await evaluationSet(session, config, folder);
  const kept = await paidFolder(session, config, folder, paysFor(config, grid));
  if (kept !== undefined) await priceGroups(session, config, set, grid, kept);
  const groups = sweepGroups(grid, baseOf(config));
  tellEmbeddings(
    session,
    config,
    set,
    groups.map(({ index }) => index.embedding),
  );
  const answers =
    config.open.model === undefined
      ? undefined
      : await answersBeside(session, config, set, folder, ANSWERED_DEPTHS.length);
  let done = 0;
  const sweep = await runSweep({
    open: openWith(session, config),
    set,
    grid,
    base: baseOf(config),
    decisive,
    price: ({ contextModel, embedding }) =>
      tablePrices({
        contextModel: nameOf(contextModel),
        embedding: nameOf(embedding),
        prices: config.open.contextPrices,
      }),
    signal: session.signal,
    ...(kept !== undefined && { folder: kept }),
    ...(answers && { answers }),
    onSetting: ({ name }) => note(session, session.io.notes.paint.dim(`${++done}: ${name}`)),
  });
  await keepContexts(kept);
  await tellResult(session, sweepRenderings(sweep));
  return EXIT.done;
}

function baseOf({ open, search }: ResolvedConfig) {
  // Questions of an evaluation are no traffic.
  const { model: _, apiKeys: __, baseUrls: ___, queryLog: _____, ...index } = open;
  const { k: ____, ...common } = search;
  return { index, search: common };
}

function paysFor({ open }: ResolvedConfig, grid: SweepGrid): boolean {
  const embeddings = [...(grid.embedding ?? []), open.embedding ?? "lexical"];
  const models = [...(grid.contextModel ?? []), open.contextModel];
  return (
    models.some((model) => model !== undefined) ||
    embeddings.some((embedding) => !["lexical", "none", "given"].includes(String(embedding)))
  );
}

/** Indexes whose contexts a model writes, each priced before anything is made. */
async function priceGroups(
  session: Session,
  config: ResolvedConfig,
  set: EvaluationSet,
  grid: SweepGrid,
  kept: string,
): Promise<void> {
  const open = openWith(session, config);
  for (const { index } of sweepGroups(grid, baseOf(config))) {
    const byModel =
      index.context === "llm" || (index.context === undefined && index.contextModel !== undefined);
    if (byModel) await priceContexts(session, open, set, kept, index);
  }
}
