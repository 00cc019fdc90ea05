import {
  type ContextRunReport,
  type IngestReport,
  NO_USAGE,
  type OnProgress,
  type UnreadFile,
  type Usage,
} from "../spec/index.ts";
import { addUsage } from "../util/usage.ts";

/** How one document ended. */
export type Outcome =
  | {
      readonly status: "added" | "replaced";
      readonly chunks: number;
      readonly failures: Readonly<Record<string, string>>;
      readonly warnings: readonly string[];
      readonly usage: { readonly contexts: Usage; readonly embeddings: Usage };
      readonly contexts?: ContextRunReport;
    }
  | { readonly status: "unchanged" | "deleted" }
  | { readonly status: "failed" | "unsupported"; readonly reason: string; readonly unchanged?: true };

/** What became of chunks whose vectors were to come. */
export interface Embedded {
  readonly embedded: number;
  readonly incomplete: IngestReport["incomplete"];
  readonly usage: Usage;
}

/**
 * Counts outcomes, reports each, and gives the sum at the end. Its lists follow `ids`, the documents in their order,
 * whichever was ready first.
 */
export function createReport(ids: readonly string[], onProgress: OnProgress | undefined) {
  const documents = ids.length;
  const start = performance.now();
  const counts = { added: 0, replaced: 0, unchanged: 0, deleted: 0, chunks: 0 };
  const unread: Record<"failed" | "unsupported", UnreadFile[]> = { failed: [], unsupported: [] };
  const incomplete: { chunkId: string; reason: string }[] = [];
  const warnings: { id: string; warning: string }[] = [];
  let usage: IngestReport["usage"] = { contexts: NO_USAGE, embeddings: NO_USAGE };
  let contexts: ContextRunReport | undefined;
  let embedded = 0;
  let done = 0;
  onProgress?.({ type: "start", documents });

  function add(id: string, outcome: Outcome): void {
    if (outcome.status !== "deleted") done += 1;
    count(id, outcome);
    onProgress?.({ ...eventOf(id, outcome), done, documents });
  }

  function count(id: string, outcome: Outcome): void {
    if (outcome.status === "failed" || outcome.status === "unsupported") {
      const { status, ...why } = outcome;
      return void unread[status].push({ id, ...why });
    }
    counts[outcome.status] += 1;
    if (!("chunks" in outcome)) return;
    counts.chunks += outcome.chunks;
    usage = {
      contexts: addUsage(usage.contexts, outcome.usage.contexts),
      embeddings: addUsage(usage.embeddings, outcome.usage.embeddings),
    };
    if (outcome.contexts) addContexts(outcome.contexts);
    for (const [chunkId, reason] of Object.entries(outcome.failures)) incomplete.push({ chunkId, reason });
    for (const warning of outcome.warnings) warnings.push({ id, warning });
  }

  const addContexts = (report: ContextRunReport, used: Usage = NO_USAGE) => {
    contexts = contexts ? joinContextReports(contexts, report) : report;
    usage = { ...usage, contexts: addUsage(usage.contexts, used) };
  };

  /** Vectors that came after their documents, and chunks that still have none. */
  const addEmbedded = (late: Embedded) => {
    embedded += late.embedded;
    incomplete.push(...late.incomplete);
    usage = { ...usage, embeddings: addUsage(usage.embeddings, late.usage) };
  };

  function finish(): IngestReport {
    const ms = performance.now() - start;
    const lists = inOrder(ids, { ...unread, incomplete, warnings });
    const late = embedded > 0 ? { embedded } : {};
    const report = { ...counts, ...late, ...lists, ms, usage, ...(contexts && { contexts }) };
    onProgress?.({ type: "end", report });
    return report;
  }

  return { add, addContexts, addEmbedded, finish };
}

type Lists = Pick<IngestReport, "failed" | "unsupported" | "incomplete" | "warnings">;

function inOrder(ids: readonly string[], { failed, unsupported, incomplete, warnings }: Lists): Lists {
  const places = new Map(ids.map((id, place) => [id, place]));
  const placeOf = (id: string) => places.get(id) ?? ids.length;
  const sorted = <Item>(items: readonly Item[], idOf: (item: Item) => string): Item[] =>
    items.toSorted((a, b) => placeOf(idOf(a)) - placeOf(idOf(b)));
  return {
    failed: sorted(failed, ({ id }) => id),
    unsupported: sorted(unsupported, ({ id }) => id),
    incomplete: sorted(incomplete, ({ chunkId }) => chunkId.slice(0, chunkId.lastIndexOf("#"))),
    warnings: sorted(warnings, ({ id }) => id),
  };
}

function eventOf(id: string, outcome: Outcome) {
  const { status } = outcome;
  const chunks = "chunks" in outcome ? outcome.chunks : 0;
  return {
    type: "document" as const,
    id,
    status,
    chunks,
    ...("reason" in outcome && { reason: outcome.reason }),
  };
}

export function joinContextReports(a: ContextRunReport, b: ContextRunReport): ContextRunReport {
  const cost = a.cost === undefined || b.cost === undefined ? (a.cost ?? b.cost) : a.cost + b.cost;
  return {
    ...(cost !== undefined && { cost }),
    faults: sums(a.faults, b.faults),
    written: sums(a.written, b.written),
    reused: a.reused + b.reused,
    cacheHitRates: [...a.cacheHitRates, ...b.cacheHitRates],
  };
}

function sums<Counts extends Readonly<Record<string, number | undefined>>>(a: Counts, b: Counts): Counts {
  const keys = [...new Set([...Object.keys(a), ...Object.keys(b)])];
  return Object.fromEntries(keys.map((key) => [key, (a[key] ?? 0) + (b[key] ?? 0)])) as Counts;
}
