import type { ResolvedConfig } from "../../../config/load.ts";
import { buildIndex, countIndex, documentsOf, withoutStop, workbench } from "../../../eval/build.ts";
import { readQuestions, withCorpus } from "../../../eval/dataset/read.ts";
import type { IndexFacts } from "../../../eval/rows.ts";
import { refuseSimulated } from "../../../eval/simulated.ts";
import type { EvaluationSet, QuestionFile } from "../../../eval/types.ts";
import { type IngestReport, type Konteks, KonteksError, type OpenOptions } from "../../../spec/index.ts";
import { ingestPaths } from "../../ingesting.ts";
import { existingIndex, existingPath, writableIndex } from "../../paths.ts";
import { count } from "../../print/layout.ts";
import { indexPath, note, type Session, withIndex } from "../../session.ts";
import { leftOutOf } from "./left-out.ts";
import { openWith } from "./open.ts";
import { questionsPath, refuseAmongDocuments, refuseNone } from "./questions.ts";
import { refuseStale } from "./stale.ts";

/** An index that is asked as it is, and what it is asked. */
export interface AskedIndex {
  readonly konteks: Konteks;
  readonly set: EvaluationSet;
  readonly facts: IndexFacts;
  /** Folder of the user's index; undefined when one was made for questions that carry their corpus. */
  readonly path: string | undefined;
}

/**
 * Opens what the questions are asked of: the index of a folder, refreshed first; without one the index as it is, which
 * must not be older than its files; for questions with a corpus of their own, an index that is gone afterwards. Contexts
 * of the simulated provider are refused.
 */
export async function withAskedIndex<T>(
  session: Session,
  config: ResolvedConfig,
  folder: string | undefined,
  command: string,
  work: (asked: AskedIndex) => Promise<T>,
): Promise<T> {
  const file = await readQuestions(questionsPath(session));
  refuseNone(file);
  if (file.documents !== undefined)
    return askedCorpus(session, config, withCorpus(file, file.documents), work);
  // Questions of an evaluation are no traffic.
  const { queryLog: _, ...open } = config.open;
  const run = async (konteks: Konteks, path: string, report?: IngestReport) =>
    work({ ...(await askedOf(session, konteks, file, report)), konteks, path });
  if (folder === undefined) {
    const path = existingIndex(indexPath(config, session.cwd), session.cwd, command);
    return withIndex(session, { ...open, path, mustExist: true, readOnly: true }, async (konteks) => {
      await refuseStale(konteks, config.ingest);
      return run(konteks, path);
    });
  }
  const source = existingPath(folder, session.cwd);
  const path = writableIndex(indexPath(config, source), "eval");
  const rebuild = session.flags.rebuild === true;
  return withIndex(session, { ...open, path, rebuild }, async (konteks) => {
    const report = await ingestPaths(session, konteks, config, [source]);
    refuseUnfinished(report);
    return run(konteks, path, report);
  });
}

async function askedCorpus<T>(
  session: Session,
  config: ResolvedConfig,
  set: EvaluationSet,
  work: (asked: AskedIndex) => Promise<T>,
): Promise<T> {
  const { apiKeys: _, baseUrls: __, queryLog: ___, ...index }: OpenOptions = config.open;
  await using bench = await workbench(openWith(session, config));
  await using built = await buildIndex(bench, set, index);
  refuseSimulated(built.facts.simulated, false);
  // Awaited here, or the index would be closed before the work is done.
  return await work({ konteks: built.konteks, set, facts: built.facts, path: undefined });
}

async function askedOf(
  session: Session,
  konteks: Konteks,
  file: QuestionFile,
  report: IngestReport | undefined,
): Promise<Pick<AskedIndex, "set" | "facts">> {
  const documents = await documentsOf(konteks, "the index");
  refuseAmongDocuments(session, documents);
  const set = withCorpus(file, documents, report && leftOutOf(session, report, documents));
  const facts = await countIndex(konteks);
  refuseSimulated(facts.simulated, false);
  if (facts.incomplete > 0) {
    note(
      session,
      `${facts.incomplete} of ${facts.chunks} chunks lack the context or vector that was asked for; \`konteks repair\` finishes them.`,
    );
  }
  return { set, facts };
}

/** What the index was meant to hold and lacks may come the next time; figures without it would be of something else. */
function refuseUnfinished({ incomplete }: IngestReport): void {
  const [first] = incomplete;
  if (first === undefined) return;
  throw new KonteksError(
    "model-failed",
    `${count(incomplete.length, "chunk")} could not be given the context or vector that was asked for, so the figures would be wrong. The first reason: ${withoutStop(first.reason)}. \`konteks repair\` finishes them; what was paid for is kept.`,
    { facts: { incomplete: incomplete.length } },
  );
}
