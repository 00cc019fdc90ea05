import type { ResolvedConfig } from "../config/load.ts";
import { joinContextReports } from "../ingest/report.ts";
import {
  type ContextEstimate,
  type ContextRunReport,
  type IngestReport,
  type IngestSource,
  isKonteksError,
  type Konteks,
  KonteksError,
  type OnProgress,
} from "../spec/index.ts";
import { addUsage } from "../util/usage.ts";
import { approve } from "./approve.ts";
import { contextOptions } from "./context-flags.ts";
import { money } from "./print/estimate.ts";
import { count } from "./print/layout.ts";
import { startProgress } from "./progress.ts";
import { EXIT, note, type Session } from "./session.ts";

const NO_CONTEXTS: ContextRunReport = { faults: {}, written: {}, reused: 0, cacheHitRates: [] };

/** Reads every source into the index, with progress, which `told` hears as well; the reports become one. */
export async function ingestPaths(
  session: Session,
  konteks: Konteks,
  config: ResolvedConfig,
  sources: readonly IngestSource[],
  told?: OnProgress,
): Promise<IngestReport> {
  const { signal, flags } = session;
  const estimate = await approve(session, konteks, sources, config.ingest);
  if (estimate === false) throw new KonteksError("aborted", "stopped before anything was paid for.");
  const progress = await startProgress(session, estimate);
  const onProgress: OnProgress = (event) => {
    progress.onProgress(event);
    told?.(event);
  };
  const paying = contextOptions(session);
  const options = { ...config.ingest, ...paying, force: flags.force === true, signal, onProgress };
  try {
    const reports: IngestReport[] = [];
    for (const source of sources) {
      // A highest cost is for all sources together.
      const left = paying.maxCost && Math.max(0, paying.maxCost - spentBy(reports));
      reports.push(
        await konteks.ingest(source, { ...options, ...(left !== undefined && { maxCost: left }) }),
      );
    }
    const report = reports.reduce(together);
    tellSpending(session, report, estimate);
    return report;
  } catch (error) {
    if (signal.aborted) throw await stopped(konteks, error);
    throw error;
  } finally {
    progress.stop();
  }
}

/** 1 when a file or a chunk could not be finished, or nothing that was named can be read, else 0. */
export function exitCodeOf(report: IngestReport): number {
  const { failed, incomplete, unsupported, added, replaced, unchanged, deleted } = report;
  // Pictures beside documents are no failure; a picture that was named by itself was not read.
  const isInVain = unsupported.length > 0 && added + replaced + unchanged + deleted === 0;
  return failed.length + incomplete.length > 0 || isInVain ? EXIT.failed : EXIT.done;
}

/** What a run that was stopped leaves, and how to go on. */
export async function stopped(konteks: Konteks, cause: unknown): Promise<KonteksError> {
  const status = await konteks.status().catch(() => undefined);
  const documents = status?.counts.documents;
  const held =
    documents === undefined
      ? ""
      : ` ${count(documents, "document")} ${documents === 1 ? "is" : "are"} in the index;`;
  const { pending = 0, chunks = 0 } = status?.counts ?? {};
  const without =
    pending === 0
      ? ""
      : ` ${chunks - pending} of ${count(chunks, "chunk")} have vectors, the others are found by text alone;`;
  const batches = status?.contextStore.batches ?? 0;
  const away =
    batches === 0 ? "" : ` ${batches === 1 ? "a batch goes" : `${batches} batches go`} on at the provider;`;
  const facts = { ...(isKonteksError(cause) ? cause.facts : {}), documents, pending };
  return new KonteksError("aborted", `stopped;${held}${without}${away} run the same command to go on.`, {
    facts,
    cause,
  });
}

function spentBy(reports: readonly IngestReport[]): number {
  return reports.reduce((sum, { contexts }) => sum + (contexts?.cost ?? 0), 0);
}

/** What was really used, next to what was said before. */
export function tellSpending(
  session: Session,
  { contexts, usage }: IngestReport,
  estimate: ContextEstimate | undefined,
): void {
  if (contexts?.cost === undefined || usage.contexts.calls === 0) return;
  const said = estimate?.cost === undefined ? "" : `, estimated ${money(estimate.cost)}`;
  note(session, `Contexts cost ${money(contexts.cost)}${said}.`);
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
    ...((a.embedded ?? b.embedded) && { embedded: (a.embedded ?? 0) + (b.embedded ?? 0) }),
    ms: a.ms + b.ms,
    usage: {
      contexts: addUsage(a.usage.contexts, b.usage.contexts),
      embeddings: addUsage(a.usage.embeddings, b.usage.embeddings),
    },
    ...((a.contexts ?? b.contexts) && {
      contexts: joinContextReports(a.contexts ?? NO_CONTEXTS, b.contexts ?? NO_CONTEXTS),
    }),
  };
}
