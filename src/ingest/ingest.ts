import { setImmediate } from "node:timers/promises";
import { type ErrorCode, type IngestReport, isKonteksError, type Store } from "../spec/index.ts";
import { ingestDocument, type KnownDocument } from "./document.ts";
import { embedLater } from "./embed-later.ts";
import { gatherWrites } from "./gather.ts";
import { identitySaver } from "./identity.ts";
import { eachDocument } from "./in-flight.ts";
import type { DocumentParts, IngestParts, IngestRunOptions } from "./parts.ts";
import type { PendingDocument, Source } from "./pending.ts";
import { placeDocuments } from "./placement.ts";
import { apartConcurrency } from "./prepare-apart.ts";
import { contextRunOf } from "./prepare-contexts.ts";
import { isRefusal, openRefusals, type Refusals } from "./refusals.ts";
import { createReport, type Outcome } from "./report.ts";
import { beginSource, endSource } from "./unfinished.ts";

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

/** Bytes of documents that are read faster than a process for them is started. */
const SMALL = 64 * 1024;

/**
 * Brings the index in line with a source: new documents come in, changed ones are replaced, unchanged ones are left
 * alone, and those gone from a folder leave. A document that fails is named in the report and the rest goes on.
 * Vectors of a model follow when every document is there; those that an earlier run did not come to are made as well.
 */
export async function ingest(
  parts: IngestParts,
  source: Source,
  options: IngestRunOptions = {},
): Promise<IngestReport> {
  return parts.store.exclusively("ingest", async () => {
    const known = await knownDocuments(parts.store);
    const { documents, isGone } = placeDocuments(source, [...known.values()]);
    const report = createReport(
      documents.map(({ id }) => id),
      options.onProgress,
    );
    // Where nothing is new, an ingest that ends early leaves no gap.
    const isNew = documents.some(({ id }) => !known.has(id));
    if (isNew && options.begun !== undefined) await beginSource(parts.store, options.begun);
    const refusals = await openRefusals(parts.store, source.name);
    const run = await contextRunOf(parts, documents, known, options);
    if (run.batches) report.addContexts(run.batches.report, run.batches.usage);
    const apart = documents.reduce((sum, { size }) => sum + size, 0) > SMALL;
    // Where models are asked, their limits decide.
    const concurrency = apart && parts.concurrency === 1 ? apartConcurrency : parts.concurrency;
    const runOptions = { ...run.options, apart };
    const work = documentParts(parts, source, apart);
    await eachDocument(documents, concurrency, async (pending) => {
      options.signal?.throwIfAborted();
      // A turn of the event loop between documents, so that Ctrl-C and other work get through.
      await setImmediate();
      const owned = pending.source === undefined ? work : { ...work, source: pending.source };
      report.add(pending.id, await outcomeOf(owned, pending, known.get(pending.id), runOptions, refusals));
    });
    await removeGone(parts, isGone, known, report.add);
    await refusals.save();
    if (options.begun !== undefined) await endSource(parts.store, options.begun);
    report.addEmbedded(await embedLater(work, new Set(documents.map(({ id }) => id)), options));
    return report.finish();
  });
}

async function knownDocuments(store: Store): Promise<ReadonlyMap<string, KnownDocument>> {
  return new Map((await store.listDocuments()).map((document) => [document.id, document]));
}

function documentParts(parts: IngestParts, source: Source, apart: boolean): DocumentParts {
  return {
    ...parts,
    source: source.name,
    saveIdentity: identitySaver(parts),
    ...(apart && { replaceDocument: gatherWrites(parts.store) }),
  };
}

async function outcomeOf(
  parts: DocumentParts,
  pending: PendingDocument,
  known: KnownDocument | undefined,
  options: IngestRunOptions,
  refusals: Refusals,
): Promise<Outcome> {
  let key: string | undefined;
  try {
    const opened = await pending.open();
    key = opened.readingKey;
    const refused = options.force === true ? undefined : refusals.of(pending.id, key);
    return refused ?? (await ingestDocument(parts, pending, opened, known, options));
  } catch (error) {
    options.signal?.throwIfAborted();
    if (isKonteksError(error) && FATAL.has(error.code)) throw error;
    const reason = error instanceof Error ? error.message : String(error);
    const status = isKonteksError(error, "unsupported-format") ? "unsupported" : "failed";
    if (isRefusal(error)) refusals.add(pending.id, key, { status, reason });
    return { status, reason };
  }
}

async function removeGone(
  parts: IngestParts,
  isGone: (document: KnownDocument) => boolean,
  known: ReadonlyMap<string, KnownDocument>,
  add: (id: string, outcome: Outcome) => void,
): Promise<void> {
  for (const document of known.values()) {
    if (!isGone(document)) continue;
    await parts.store.deleteDocument(document.id);
    parts.contextStore.deleteDocument(document.id);
    add(document.id, { status: "deleted" });
  }
}
