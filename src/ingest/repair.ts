import { createBudget } from "../llm/budget.ts";
import type {
  Chunk,
  Document,
  DocumentRecord,
  DocumentSummary,
  IngestReport,
  RepairOptions,
} from "../spec/index.ts";
import type { ContextRun } from "./contextualize/contextualize.ts";
import { finishDocument } from "./document.ts";
import { identitySaver } from "./identity.ts";
import type { DocumentParts, IngestParts } from "./parts.ts";
import { withBatches } from "./prepare-contexts.ts";
import { createReport } from "./report.ts";

/**
 * Finishes documents that lack contexts or vectors, and with `stale` those whose contexts were made from an older state.
 * Text and chunks come from the index itself, so that the sources need not be there.
 */
export async function repair(parts: IngestParts, options: RepairOptions = {}): Promise<IngestReport> {
  return parts.store.exclusively("repair", async () => {
    const wanting = await documentsToRepair(parts, options.stale === true);
    const report = createReport(wanting.length, options.onProgress);
    const run: ContextRun = {
      budget: createBudget(options.maxCost ?? Number.POSITIVE_INFINITY),
      renewStale: options.stale === true,
      priced: parts.modelContexts?.().price !== undefined,
      stopped: undefined,
    };
    const prepared = await withBatches(parts, { ...options, contextRun: run }, async () =>
      (await Promise.all(wanting.map(({ id }) => stored(parts, id)))).flatMap((one) => one ?? []),
    );
    if (prepared.batches) report.addContexts(prepared.batches.report, prepared.batches.usage);
    for (const { id } of wanting) {
      options.signal?.throwIfAborted();
      const cut = await stored(parts, id);
      if (cut === undefined) continue;
      const { source, contentHash } = cut.record;
      const work: DocumentParts = { ...parts, source, saveIdentity: identitySaver(parts) };
      const { document, chunks } = cut;
      report.add(
        id,
        await finishDocument(
          work,
          { document, chunks, input: undefined, contentHash },
          true,
          prepared.options,
        ),
      );
    }
    return report.finish();
  });
}

async function documentsToRepair(
  { store, contextStore }: IngestParts,
  renewStale: boolean,
): Promise<readonly DocumentSummary[]> {
  const stale = new Set(renewStale ? contextStore.stale().map(({ documentId }) => documentId) : []);
  return (await store.listDocuments()).filter(({ id, failures }) => failures > 0 || stale.has(id));
}

interface Stored {
  readonly record: DocumentRecord;
  readonly document: Document;
  readonly chunks: readonly Chunk[];
}

async function stored({ store }: IngestParts, id: string): Promise<Stored | undefined> {
  const record = await store.getDocument(id);
  if (record === undefined) return undefined;
  const chunks = (await store.chunksOf(id)).map(({ chunk }) => chunk);
  return { record, document: { ...record.document, blocks: [] }, chunks };
}
