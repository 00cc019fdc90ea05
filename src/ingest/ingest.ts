import { setImmediate } from "node:timers/promises";
import pLimit from "p-limit";
import { type ErrorCode, type IngestReport, isKonteksError, type Store } from "../spec/index.ts";
import { ingestDocument, type KnownDocument } from "./document.ts";
import { identitySaver } from "./identity.ts";
import type { DocumentParts, IngestParts, IngestRunOptions } from "./parts.ts";
import type { PendingDocument, Source } from "./pending.ts";
import { contextRunOf } from "./prepare-contexts.ts";
import { createReport, type Outcome } from "./report.ts";

/** Errors that stop the whole run: the next document would fail in the same way. */
const FATAL: ReadonlySet<ErrorCode> = new Set([
  "aborted",
  "closed",
  "identity-mismatch",
  "index-damaged",
  "index-locked",
  "index-newer",
  "no-key",
  "no-space",
  "not-an-index",
  "read-only",
  "unknown-model",
]);

/**
 * Brings the index in line with a source: new documents come in, changed ones are replaced, unchanged ones are left
 * alone, and those gone from a folder leave. A document that fails is named in the report and the rest goes on.
 */
export async function ingest(
  parts: IngestParts,
  source: Source,
  options: IngestRunOptions = {},
): Promise<IngestReport> {
  return parts.store.exclusively("ingest", async () => {
    const known = await knownDocuments(parts.store);
    const report = createReport(source.documents.length, options.onProgress);
    const work = documentParts(parts, source);
    const run = await contextRunOf(parts, source.documents, known, options);
    if (run.batches) report.addContexts(run.batches.report, run.batches.usage);
    await eachDocument(source.documents, parts.concurrency, async (pending) => {
      options.signal?.throwIfAborted();
      // A turn of the event loop between documents, so that Ctrl-C and other work get through.
      await setImmediate();
      report.add(pending.id, await outcomeOf(work, pending, known.get(pending.id), run.options));
    });
    await removeGone(parts, source, known, report.add);
    return report.finish();
  });
}

async function knownDocuments(store: Store): Promise<ReadonlyMap<string, KnownDocument>> {
  return new Map((await store.listDocuments()).map((document) => [document.id, document]));
}

function documentParts(parts: IngestParts, source: Source): DocumentParts {
  return { ...parts, source: source.name, saveIdentity: identitySaver(parts) };
}

async function outcomeOf(
  parts: DocumentParts,
  pending: PendingDocument,
  known: KnownDocument | undefined,
  options: IngestRunOptions,
): Promise<Outcome> {
  try {
    return await ingestDocument(parts, pending, known, options);
  } catch (error) {
    options.signal?.throwIfAborted();
    if (isKonteksError(error) && FATAL.has(error.code)) throw error;
    const reason = error instanceof Error ? error.message : String(error);
    if (isKonteksError(error, "unsupported-format")) return { status: "unsupported", reason };
    return { status: "failed", reason };
  }
}

/**
 * Runs the documents, so many at a time. An error stops the ones that wait; those in work end first, so that nothing
 * writes after the lock is given back.
 */
async function eachDocument(
  documents: readonly PendingDocument[],
  concurrency: number,
  run: (pending: PendingDocument) => Promise<void>,
): Promise<void> {
  const limit = pLimit(concurrency);
  let failure: { readonly error: unknown } | undefined;
  const guarded = async (pending: PendingDocument) => {
    if (failure) return;
    await run(pending).catch((error: unknown) => {
      failure ??= { error };
    });
  };
  await limit.map(documents, guarded);
  if (failure) throw (failure as { readonly error: unknown }).error;
}

async function removeGone(
  parts: IngestParts,
  source: Source,
  known: ReadonlyMap<string, KnownDocument>,
  add: (id: string, outcome: Outcome) => void,
): Promise<void> {
  for (const document of known.values()) {
    if (document.source !== source.name || !source.hasLeft(document.id)) continue;
    await parts.store.deleteDocument(document.id);
    parts.contextStore.deleteDocument(document.id);
    add(document.id, { status: "deleted" });
  }
}
