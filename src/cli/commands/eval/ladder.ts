import type { ResolvedConfig } from "../../../config/load.ts";
import { type LadderOptions, runLadder } from "../../../eval/ladder/ladder.ts";
import { defaultSteps, keywordSteps } from "../../../eval/ladder/steps.ts";
import { metric } from "../../../eval/metrics/metrics.ts";
import { tablePrices } from "../../../eval/price.ts";
import { resolveChunkOptions } from "../../../ingest/chunk/chunk.ts";
import type { ChunkOptions } from "../../../spec/index.ts";
import { configOf, EXIT, note, type Session } from "../../session.ts";
import { textFlag } from "./flags.ts";
import { nameOf, openWith } from "./open.ts";
import { keepContexts, paidFolder, priceContexts, tellEmbeddings } from "./paying.ts";
import { answersBeside } from "./paying-answers.ts";
import { evaluationSet } from "./questions.ts";
import { ladderRenderings } from "./renderings.ts";
import { reportFiles, tellResult } from "./reports.ts";

export async function run(session: Session, [folder]: readonly string[]): Promise<number> {
  reportFiles(session);
  const config = await configOf(session);
  const decisive = textFlag(session, "metric") ?? "recall@20";
  metric(decisive);
  const set = await evaluationSet(session, config, folder);
  const options = { ...ladderOptions(session, config), set, decisive };
  const kept = await paidFolder(session, config, folder, options.pays);
  if (kept !== undefined && options.contextModel !== undefined) {
    await priceContexts(session, options.open, set, kept, { ...config.open, chunk: options.chunk });
  }
  tellEmbeddings(session, config, set, Array(EMBEDDED).fill(options.embedding));
  const answers =
    session.flags.answers === false ? undefined : await answersBeside(session, config, set, folder);
  const ladder = await runLadder({
    ...options,
    ...(kept !== undefined && { folder: kept }),
    ...(answers && { answers }),
  });
  await keepContexts(kept);
  await tellResult(session, ladderRenderings(ladder));
  return EXIT.done;
}

/** Indexes of a ladder with vectors of their own: three ways of cutting, and two kinds of context. */
const EMBEDDED = 5;

function ladderOptions(session: Session, config: ResolvedConfig) {
  const { embedding = "lexical", contextModel, chunk, context: _, apiKeys: __, ...index } = config.open;
  // Questions of an evaluation are no traffic.
  const { baseUrls: ___, model: ____, queryLog: _____, ...common } = index;
  const { k: _k, mode: _mode, ...search } = config.search;
  const options: Omit<LadderOptions, "set" | "decisive"> & { pays: boolean; chunk: ChunkOptions } = {
    open: openWith(session, config),
    embedding,
    chunk: resolveChunkOptions(chunk),
    index: common,
    search,
    steps: embedding === "none" ? keywordSteps : defaultSteps,
    price: tablePrices({
      contextModel: nameOf(contextModel),
      embedding: nameOf(embedding),
      prices: config.open.contextPrices,
    }),
    signal: session.signal,
    pays: contextModel !== undefined || !["lexical", "none"].includes(String(embedding)),
    onStep: (step) =>
      note(
        session,
        session.io.notes.paint.dim(`${"skipped" in step ? "left out" : "measured"}: ${step.name}`),
      ),
    ...(contextModel !== undefined && { contextModel }),
  };
  return options;
}
