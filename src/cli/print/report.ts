import type { IngestReport, Usage } from "../../spec/index.ts";
import { rowWidth, type View } from "../io.ts";
import { count, duration, wrap } from "./layout.ts";

const SHOWN = 20;
/** So many more chunks with one reason are not named each. */
const SAME = 3;

/** What an ingest did, and by name what it could not do. */
export function renderReport(report: IngestReport, view: View): string {
  const { paint } = view;
  const width = rowWidth(view);
  const list = (title: string, lines: readonly string[], of?: number) => listed(width, title, lines, of);
  const lines = [
    headline(report),
    ...list(
      paint.red("Failed"),
      report.failed.map(({ id, reason }) => `${id}: ${withoutId(reason, id)}`),
    ),
    ...againLine(report),
    ...list(
      paint.red("In the index, but incomplete"),
      incompleteLines(report.incomplete),
      report.incomplete.length,
    ),
    ...list(
      paint.yellow("Not supported"),
      report.unsupported.map(({ id, reason }) => `${id}: ${firstSentence(withoutId(reason, id))}`),
    ),
    ...list(
      paint.yellow("Warnings"),
      report.warnings.map(({ id, warning }) => `${id}: ${warning}`),
    ),
    ...usageLines(report.usage),
    ...contextLines(report.contexts),
  ];
  return lines.join("\n");
}

/** Once for all of them. */
function againLine({ failed }: IngestReport): string[] {
  const again = failed.filter(({ unchanged }) => unchanged).length;
  if (again === 0) return [];
  const which = again === failed.length ? "None of these has" : `${again} of these have not`;
  return [`  (${which} changed since the last run, so they were not tried again; --force does.)`];
}

function headline(report: IngestReport): string {
  const { chunks, embedded, ms } = report;
  const made = embedded === undefined ? "" : `${count(embedded, "chunk")} embedded`;
  const documents = changes(report);
  // A repair may have had nothing to do but vectors.
  if (documents === NOTHING && made !== "") return `${made} in ${duration(ms)}`;
  const written = `${count(chunks, "chunk")} written`;
  return `${documents} in ${duration(ms)} (${made === "" ? written : `${written}, ${made}`})`;
}

const NOTHING = "No documents";

/** Chunks that lack something for the same reason are one line; a thousand of them share a limit that was reached. */
function incompleteLines(incomplete: IngestReport["incomplete"]): string[] {
  const byReason = new Map<string, string[]>();
  for (const { chunkId, reason } of incomplete) {
    const chunks = byReason.get(reason);
    if (chunks) chunks.push(chunkId);
    else byReason.set(reason, [chunkId]);
  }
  return [...byReason].flatMap(([reason, [first = "", ...others]]) => {
    if (others.length < SAME) return [first, ...others].map((id) => `${id}: ${reason}`);
    return [`${first} and ${count(others.length, "other")} (--json lists all): ${reason}`];
  });
}

/** "3 added, 1 replaced, 12 unchanged". */
export function changes({ added, replaced, unchanged, deleted }: IngestReport): string {
  const parts = Object.entries({ added, replaced, unchanged, deleted }).filter(([, n]) => n > 0);
  return parts.length === 0
    ? NOTHING
    : parts.map(([word, n]) => `${n.toLocaleString("en")} ${word}`).join(", ");
}

function listed(width: number, title: string, lines: readonly string[], of = lines.length): string[] {
  if (lines.length === 0) return [];
  const more = lines.length - SHOWN;
  const rest = more > 0 ? [`  and ${more} more; --json lists all`] : [];
  return [`${title} (${of}):`, ...lines.slice(0, SHOWN).map((line) => hanging(line, width)), ...rest];
}

/** The lines of one thing after its first stand further in. */
function hanging(line: string, width: number): string {
  return wrap(line, width - 4)
    .map((part, i) => (i === 0 ? `  ${part}` : `    ${part}`))
    .join("\n");
}

/** Reasons stand alone elsewhere and begin with the name; here it is in front already. */
function withoutId(reason: string, id: string): string {
  return reason.startsWith(`"${id}" `) ? reason.slice(id.length + 3) : reason;
}

/** What to do with a kind of file that is not read is the same for all of them; `--json` has it. */
function firstSentence(text: string): string {
  return /^.*?\.(?= |$)/s.exec(text.replace(/\s+/g, " "))?.[0] ?? text;
}

function usageLines({ contexts, embeddings }: IngestReport["usage"]): string[] {
  return [...usageLine("Contexts", contexts), ...usageLine("Embeddings", embeddings)];
}

/** Faults by kind, and how they occurred; documents from which nothing came out of the cache are among the warnings. */
function contextLines(contexts: IngestReport["contexts"]): string[] {
  if (contexts === undefined) return [];
  const faults = Object.entries(contexts.faults).map(([kind, n]) => `${kind} ${n}`);
  return [...cacheLine(contexts.cacheHitRates), ...faultLine(faults)];
}

function cacheLine(rates: NonNullable<IngestReport["contexts"]>["cacheHitRates"]): string[] {
  const lowest = rates.toSorted((a, b) => a.rate - b.rate)[0];
  if (lowest === undefined || rates.every(({ rate }) => rate === 0)) return [];
  const mean = rates.reduce((sum, { rate }) => sum + rate, 0) / rates.length;
  const percent = (rate: number) => `${Math.round(rate * 100)} %`;
  return [
    `Read from the provider's cache: ${percent(mean)} of the prompts, lowest ${percent(lowest.rate)} for ${lowest.documentId}`,
  ];
}

function faultLine(faults: readonly string[]): string[] {
  return faults.length === 0
    ? []
    : [`Contexts that did not pass the checks (each asked for once more): ${faults.join(", ")}`];
}

function usageLine(what: string, usage: Usage): string[] {
  if (usage.calls === 0) return [];
  const cached =
    usage.cacheReadTokens === 0 ? "" : `, ${count(usage.cacheReadTokens, "token")} from the cache`;
  const output = usage.outputTokens === 0 ? "" : `, ${count(usage.outputTokens, "token")} out`;
  return [
    `${what}: ${count(usage.calls, "call")}, ${count(usage.inputTokens, "token")} in${cached}${output}`,
  ];
}
