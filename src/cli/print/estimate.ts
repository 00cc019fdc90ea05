import type { ContextEstimate, DocumentEstimate, TokenEstimate } from "../../spec/index.ts";
import type { View } from "../io.ts";
import { columns, count, duration } from "./layout.ts";

const SHOWN = 20;

/** "$0.34", "$12.10"; what is smaller than a cent in full. */
export function money(dollars: number): string {
  return `$${dollars.toFixed(dollars !== 0 && dollars < 0.1 ? 4 : 2)}`;
}

/** What contexts would cost, each way side by side. */
export function renderEstimate(estimate: ContextEstimate, { paint }: View, explain: boolean): string {
  const lines = [
    paint.bold(headline(estimate)),
    ...table(estimate),
    ...columns(facts(estimate)).map((line) => `  ${line}`),
    ...(explain ? ["", paint.bold("By document"), ...byDocument(estimate)] : []),
    ...(estimate.notes.length === 0 ? [] : ["", ...estimate.notes.map((note) => paint.yellow(note))]),
  ];
  return lines.join("\n");
}

/** One line, for before an ingest. */
export function headline(estimate: ContextEstimate): string {
  const { missing, documentsSent, model, cost, tokens, host } = estimate;
  if (missing === 0) return "Every context is there already; no call would be made.";
  const price = cost === undefined ? "no price is known for it" : `about ${money(cost)}`;
  return (
    `${count(missing, "context")} by ${model}: ${price}, ${count(tokens.calls, "call")}; the text of ` +
    `${count(documentsSent, "document")} goes to ${host}${cheaperWithout(estimate)}${underWay(estimate)}`
  );
}

function underWay({ requestsUnderWay }: ContextEstimate): string {
  if (requestsUnderWay === 0) return "";
  const requests = count(requestsUnderWay, "request");
  return `. ${requests} of that are in batches that were begun, and not asked for again`;
}

/** Batches write the cache for an hour, at a higher price, and miss it more often. */
function cheaperWithout({ cost, costWithoutBatch }: ContextEstimate): string {
  if (cost === undefined || costWithoutBatch === undefined || costWithoutBatch >= cost) return "";
  return `. Without --batch: about ${money(costWithoutBatch)}`;
}

function table({ modes, missing }: ContextEstimate): string[] {
  if (missing === 0) return [];
  const head = ["", "calls", "input", "cache write", "cache read", "output", "cost", "per million", "time"];
  const rows = modes.map(({ mode, tokens, cost, costPerMillion, seconds }) => [
    mode,
    ...tokenCells(tokens),
    cost === undefined ? "–" : money(cost),
    costPerMillion === undefined ? "–" : money(costPerMillion),
    seconds === undefined ? "up to 24 h" : duration(seconds * 1_000),
  ]);
  return ["", ...columns([head, ...rows]).map((line) => `  ${line}`), ""];
}

function tokenCells({ calls, input, cacheWrite, cacheRead, output }: TokenEstimate): string[] {
  return [calls, input, cacheWrite, cacheRead, output].map((n) => n.toLocaleString("en"));
}

function facts(estimate: ContextEstimate): string[][] {
  const { documents, chunks, documentTokens, pricesAsOf, otherContexts, batchHitRate, learntFrom } = estimate;
  return [
    [
      "documents",
      `${count(documents, "document")} to index, ${count(chunks, "chunk")}, ${count(documentTokens, "token")} in those that would be sent`,
    ],
    ["chosen", chosen(estimate)],
    ...cheaperGrouped(estimate).map((why) => ["why", why]),
    [
      "prices",
      pricesAsOf === undefined
        ? "none known; tokens only"
        : pricesAsOf === "own"
          ? "your own"
          : `as of ${pricesAsOf}`,
    ],
    ...(learntFrom > 0
      ? [["counts", `by what ${count(learntFrom, "call")} with this model really used`]]
      : []),
    ["batches", `counted with ${Math.round(batchHitRate * 100)} % of repeated documents read from the cache`],
    ...(otherContexts > 0
      ? [["not used", `${count(otherContexts, "context")} of another model, prompt or glossary; they stay`]]
      : []),
  ];
}

function chosen({ byDocument, cost, seconds }: ContextEstimate): string {
  const counts = new Map<string, number>();
  for (const { policy } of byDocument) counts.set(policy, (counts.get(policy) ?? 0) + 1);
  counts.delete("none");
  const ways = [...counts].map(([policy, n]) => `${policy} for ${count(n, "document")}`).join(", ");
  const price = cost === undefined ? "" : `, ${money(cost)}`;
  const time = seconds === undefined ? "" : `, about ${duration(seconds * 1_000)}`;
  return ways === "" ? "nothing to do" : `${ways}${price}${time}`;
}

/** Why the cheapest way was not chosen, where it was not, and how to choose it. */
function cheaperGrouped({ byDocument, modes, cost, costWithoutBatch }: ContextEstimate): readonly string[] {
  const inBatch = costWithoutBatch !== undefined;
  const grouped = modes.find(({ mode }) => mode === (inBatch ? "grouped, batch" : "grouped"))?.cost;
  const isSingle = byDocument.some(
    ({ policy, cached, reason }) => policy === "single" && cached && reason !== "as was asked for",
  );
  if (!isSingle || cost === undefined || grouped === undefined || grouped >= 0.95 * cost) return [];
  return [
    `one call for each chunk where the provider keeps the document: published quality stands on that; --plan grouped costs ${money(grouped)}`,
  ];
}

function byDocument({ byDocument: documents }: ContextEstimate): string[] {
  const lines = documents.map(describe);
  const more = lines.length > SHOWN ? [`  and ${lines.length - SHOWN} more; --json lists all`] : [];
  return [...lines.slice(0, SHOWN), ...more];
}

function describe({ id, policy, reason, missing, cost, documentTokens }: DocumentEstimate): string {
  const price = cost === undefined ? "" : `, ${money(cost)}`;
  const size = `${count(documentTokens, "token")}, ${count(missing, "context")}${price}`;
  return `  ${id}: ${policy === "none" ? reason : `${policy} (${reason}); ${size}`}`;
}
