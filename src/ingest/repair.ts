import { createBudget } from "../llm/budget.ts";
import type { IngestReport, RepairOptions } from "../spec/index.ts";
import type { ContextRun } from "./contextualize/contextualize.ts";
import { finishDocument } from "./document.ts";
import { embedLater } from "./embed-later.ts";
import { identitySaver } from "./identity.ts";
import type { DocumentParts, IngestParts } from "./parts.ts";
import { withBatches } from "./prepare-contexts.ts";
import { createReport } from "./report.ts";
import { documentsToRepair, idsToRepair, storedDocument } from "./wanting.ts";

/**
 * Finishes documents that lack contexts or vectors, and with `stale` those whose contexts were made from an older state.
 * Text and chunks come from the index itself, so that the sources need not be there.
 */
export async function repair(parts: IngestParts, options: RepairOptions = {}): Promise<IngestReport> {
  return parts.store.exclusively("repair", async () => {
    const wanting = await idsToRepair(parts, options.stale === true);
    const report = createReport(wanting, options.onProgress);
    const run: ContextRun = {
      budget: createBudget(options.maxCost ?? Number.POSITIVE_INFINITY),
      renewStale: options.stale === true,
      priced: parts.modelContexts?.().price !== undefined,
      stopped: undefined,
    };
    const prepared = await withBatches(parts, { ...options, contextRun: run }, () =>
      documentsToRepair(parts, options.stale === true),
    );
    if (prepared.batches) report.addContexts(prepared.batches.report, prepared.batches.usage);
    const saveIdentity = identitySaver(parts);
    for (const id of wanting) {
      options.signal?.throwIfAborted();
      const cut = await storedDocument(parts, id);
      if (cut === undefined) continue;
      const { source, contentHash } = cut.record;
      const work: DocumentParts = { ...parts, source, saveIdentity };
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
    report.addEmbedded(await embedLater({ ...parts, saveIdentity }, undefined, options));
    return report.finish();
  });
}
