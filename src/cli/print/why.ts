import type { WhyReport, WhyWord } from "../../spec/index.ts";
import type { View } from "../io.ts";
import { columns, count, wrap } from "./layout.ts";

/** Where a passage was lost, for people. */
export function renderWhy(report: WhyReport, view: View): string {
  const { paint } = view;
  const title = report.lostAt === "found" ? "Found" : `Lost: ${LOST[report.lostAt]}`;
  return [
    [paint.bold(`${title}.`), ...wrap(report.reason, view.columns)].join("\n"),
    block(view, "Where it stands", placeRows(report)),
    block(view, "Words of the query", report.words.map(wordRow)),
    block(
      view,
      "What would bring it in (tried)",
      report.remedies.map(({ change, rank }) => [change, rank === undefined ? "not found" : `rank ${rank}`]),
    ),
  ]
    .filter((part) => part !== "")
    .join("\n\n");
}

const LOST: Readonly<Record<WhyReport["lostAt"], string>> = {
  found: "not",
  "not-in-index": "it is not in the index",
  "not-in-chunk": "it is in no chunk",
  filter: "the filter leaves it out",
  search: "no list reached it",
  threshold: "it is below a threshold",
  fusion: "the fusion put it too low",
  rerank: "the reranker put it too low",
  diversity: "better chunks took its place",
  k: "it stands below k",
};

function block({ paint }: View, title: string, rows: readonly (readonly string[])[]): string {
  if (rows.length === 0) return "";
  return [paint.bold(title), ...columns(rows).map((line) => `  ${line}`)].join("\n");
}

function placeRows({ chunks, lists, stages }: WhyReport): readonly (readonly string[])[] {
  const [best] = chunks;
  return [
    ...(best ? [["chunk", `${best.chunk.id}, lines ${best.chunk.lines.join("–")}`]] : []),
    ...Object.entries(lists).map(([name, { rank, score, of }]) => [
      name,
      `rank ${rank} of ${of}, score ${score.toFixed(3)}`,
    ]),
    ...Object.entries(stages)
      .filter(([name]) => !(name in lists))
      .map(([name, rank]) => [name, `rank ${rank}`]),
  ];
}

function wordRow({ word, terms, inChunk, inContext, frequency }: WhyWord): readonly string[] {
  const where = [inChunk.length > 0 && "in the chunk", inContext.length > 0 && "in its context"].filter(
    Boolean,
  );
  const found = where.length > 0 ? where.join(" and ") : "missing";
  return [word, found, `in ${count(frequency, "chunk")}`, `as ${terms.slice(0, 6).join(" ")}`];
}
