import type { ResolvedConfig } from "../config/load.ts";
import { type IngestReport, isKonteksError, type Konteks, KonteksError, type Usage } from "../spec/index.ts";
import { count } from "./print/layout.ts";
import { startProgress } from "./progress.ts";
import { EXIT, type Session } from "./session.ts";

/** Reads every path into the index, with progress; the reports become one. */
export async function ingestPaths(
  session: Session,
  konteks: Konteks,
  config: ResolvedConfig,
  paths: readonly string[],
): Promise<IngestReport> {
  const { signal, flags } = session;
  const progress = await startProgress(session);
  const options = { ...config.ingest, force: flags.force === true, signal, onProgress: progress.onProgress };
  try {
    const reports: IngestReport[] = [];
    for (const path of paths) reports.push(await konteks.ingest(path, options));
    return reports.reduce(together);
  } catch (error) {
    if (signal.aborted) throw await stopped(konteks, error);
    throw error;
  } finally {
    progress.stop();
  }
}

/** 1 when a file or a chunk could not be finished, else 0. */
export function exitCodeOf({ failed, incomplete }: IngestReport): number {
  return failed.length + incomplete.length > 0 ? EXIT.failed : EXIT.done;
}

async function stopped(konteks: Konteks, cause: unknown): Promise<KonteksError> {
  const documents = await konteks.status().then(
    ({ counts }) => counts.documents,
    () => undefined,
  );
  const held =
    documents === undefined
      ? ""
      : ` ${count(documents, "document")} ${documents === 1 ? "is" : "are"} in the index;`;
  const facts = { ...(isKonteksError(cause) ? cause.facts : {}), documents };
  return new KonteksError("aborted", `stopped;${held} run the same command to go on.`, { facts, cause });
}

function together(a: IngestReport, b: IngestReport): IngestReport {
  return {
    added: a.added + b.added,
    replaced: a.replaced + b.replaced,
    unchanged: a.unchanged + b.unchanged,
    deleted: a.deleted + b.deleted,
    failed: [...a.failed, ...b.failed],
    unsupported: [...a.unsupported, ...b.unsupported],
    incomplete: [...a.incomplete, ...b.incomplete],
    warnings: [...a.warnings, ...b.warnings],
    chunks: a.chunks + b.chunks,
    ms: a.ms + b.ms,
    usage: {
      contexts: sum(a.usage.contexts, b.usage.contexts),
      embeddings: sum(a.usage.embeddings, b.usage.embeddings),
    },
  };
}

function sum(a: Usage, b: Usage): Usage {
  return {
    calls: a.calls + b.calls,
    inputTokens: a.inputTokens + b.inputTokens,
    outputTokens: a.outputTokens + b.outputTokens,
    cacheReadTokens: a.cacheReadTokens + b.cacheReadTokens,
    cacheWriteTokens: a.cacheWriteTokens + b.cacheWriteTokens,
  };
}
