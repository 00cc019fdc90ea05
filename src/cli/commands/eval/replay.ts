import {
  type Baseline,
  type Replay,
  type ReplayOptions,
  replay,
  replayBaseline,
} from "../../../eval/replay.ts";
import { type RerankPrice, rerankCost, rerankPriceOf } from "../../../eval/rerank-prices.ts";
import type { LoggedQuery } from "../../../query/log.ts";
import { rerankOptions } from "../../../query/options.ts";
import { existingIndex } from "../../paths.ts";
import { columns, count, duration, truncate } from "../../print/layout.ts";
import { configOf, EXIT, indexPath, printJson, type Session, withIndex } from "../../session.ts";
import { numberFlag } from "./flags.ts";
import { loggedQueries } from "./logged.ts";
import { agree } from "./paying.ts";

export async function run(session: Session): Promise<number> {
  const config = await configOf(session);
  const path = existingIndex(indexPath(config, session.cwd), session.cwd, "eval replay");
  const logged = loggedQueries(session, config, path);
  const queries = latest(logged, numberFlag(session, "count") ?? 100);
  const { rerank, ...search } = config.search;
  const options: ReplayOptions = {
    search,
    rerank: rerankOptions(rerank === false ? true : rerank),
    signal: session.signal,
  };
  const { model: _, queryLog: __, ...open } = config.open;
  await withIndex(session, { ...open, path, mustExist: true, readOnly: true }, async (konteks) => {
    const baseline = await replayBaseline(konteks, queries, options);
    const bill = billOf(session, options, baseline);
    if (bill.cost !== 0) await agree(session, offer(bill));
    const result = await replay(konteks, baseline, options);
    tell(session, { result, bill, logged, signal: session.signal });
  });
  return EXIT.done;
}

/** The latest queries, each once. */
function latest(logged: readonly LoggedQuery[], most: number): readonly string[] {
  const texts = logged.map(({ query }) => query).filter((query) => query.trim() !== "");
  return [...new Set(texts.toReversed())].slice(0, most);
}

interface Bill {
  readonly model: string;
  readonly tokens: number;
  readonly queries: number;
  /** US dollars for all queries of the replay; undefined without a price. */
  readonly cost: number | undefined;
}

function billOf(session: Session, { rerank }: ReplayOptions, { loads }: Baseline): Bill {
  const model = typeof rerank.model === "string" ? rerank.model : rerank.model.id;
  const price = ownPrice(session) ?? rerankPriceOf(model);
  const tokens = loads.reduce((sum, load) => sum + load.tokens, 0);
  return { model, tokens, queries: loads.length, cost: price && rerankCost(loads, price) };
}

function ownPrice(session: Session): RerankPrice | undefined {
  const perThousandSearches = numberFlag(session, "pricePerThousand");
  const perMillionTokens = numberFlag(session, "pricePerMillion");
  if (perThousandSearches === undefined && perMillionTokens === undefined) return undefined;
  return {
    ...(perThousandSearches !== undefined && { perThousandSearches }),
    ...(perMillionTokens !== undefined && { perMillionTokens }),
  };
}

function offer({ model, tokens, queries, cost }: Bill): string {
  const price = cost === undefined ? "at an unknown price" : `for about ${dollars(cost)}`;
  return `${model} would judge ${count(queries, "list")} (${tokens.toLocaleString("en")} tokens) ${price}; what it judged before is not paid for again.`;
}

interface Told {
  readonly result: Replay;
  readonly bill: Bill;
  readonly logged: readonly LoggedQuery[];
  readonly signal: AbortSignal;
}

function tell(session: Session, { result, bill, logged }: Told): void {
  const perThousand = bill.cost === undefined ? undefined : (1000 * bill.cost) / Math.max(1, bill.queries);
  const aDay = perDay(logged);
  if (session.json) {
    printJson(session, {
      ...result,
      ...bill,
      costPerThousandQueries: perThousand ?? null,
      queriesPerDay: aDay,
    });
    return;
  }
  const { view } = session.io;
  const rows = [
    ["queries", `${result.queries} of ${logged.length} logged, each once`],
    ["reranker", bill.model],
    ["time without", times(result.before)],
    ["time with", times(result.after)],
    ["money", moneyLine(perThousand, aDay)],
    ["first hit is another", percent(result.firstChanged)],
    ["hits as before", percent(result.same)],
    ["new hits in a list", result.newHits.toFixed(1)],
    ...(result.skipped > 0 ? [["left out", `${result.skipped}: ${result.reasons.join("; ")}`]] : []),
  ];
  const examples = result.examples.map(({ query, before, after }) => [
    truncate(query, Math.max(20, view.columns - 60)),
    before === "" ? "nothing" : before,
    "→",
    after,
  ]);
  const lines = columns(rows);
  if (examples.length > 0) lines.push("", view.paint.bold("First hits that changed"), ...columns(examples));
  session.io.print(lines.join("\n"));
}

function times({ p50, p95 }: Replay["before"]): string {
  return `${duration(p50)} at the median, ${duration(p95)} at the 95th percentile`;
}

function moneyLine(perThousand: number | undefined, aDay: number | undefined): string {
  if (perThousand === undefined)
    return "not known: give --price-per-thousand <dollars for 1,000 searches> or --price-per-million <for tokens>";
  if (perThousand === 0) return "nothing";
  const month =
    aDay === undefined
      ? ""
      : `, ${dollars((perThousand * aDay * 30) / 1000)} a month at ${aDay.toFixed(0)} a day`;
  return `${dollars(perThousand)} for 1,000 queries${month}`;
}

/** Queries a day, over the time that the log covers; undefined for less than a day. */
function perDay(logged: readonly LoggedQuery[]): number | undefined {
  const [first, last] = [logged[0]?.at, logged.at(-1)?.at].map((at) => Date.parse(at ?? ""));
  const days = ((last ?? 0) - (first ?? 0)) / 86_400_000;
  return days >= 1 ? logged.length / days : undefined;
}

function percent(share: number): string {
  return `${(100 * share).toFixed(0)} % of queries`;
}

function dollars(amount: number): string {
  return amount < 0.01 && amount > 0 ? `$${amount.toFixed(4)}` : `$${amount.toFixed(2)}`;
}
