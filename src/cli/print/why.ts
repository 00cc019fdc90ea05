import type { WhyPassageWord, WhyReport, WhyWord } from "../../spec/index.ts";
import { describeTerm } from "../../text/describe-term.ts";
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
    block(view, "Rarest words of the passage", report.passage.map(passageRow)),
    block(view, "What would bring it in (tried)", report.remedies.map(remedyRow)),
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

function placeRows({ chunks, lists, stages, leftOut }: WhyReport): readonly (readonly string[])[] {
  const [best] = chunks;
  return [
    ...(best ? [["chunk", `${best.chunk.id}, lines ${best.chunk.lines.join("–")}`]] : []),
    ...Object.entries(lists).map(([name, { rank, score, of }]) => {
      const place = `rank ${rank} of ${of}, score ${score.toFixed(3)}`;
      const reason = leftOut[name];
      return [name, reason === undefined ? place : `left out: ${reason} (${place})`];
    }),
    ...Object.entries(leftOut)
      .filter(([name]) => !(name in lists))
      .map(([name, reason]) => [name, `left out: ${reason}`]),
    ...Object.entries(stages)
      .filter(([name]) => !(name in lists))
      .map(([name, rank]) => [name, `rank ${rank}`]),
  ];
}

function wordRow(found: WhyWord): readonly string[] {
  const { word, frequency } = found;
  const index = frequency === 0 ? "nowhere in the index" : `in ${count(frequency, "chunk")}`;
  return [word, fateOf(found), found.function ? `${index}, a function word: counts little` : index];
}

/** Where a word was met, and under which form; else what was looked for and what stands there instead. */
function fateOf({ word, terms, inChunk, inContext, near }: WhyWord): string {
  const where = [inChunk.length > 0 && "in the chunk", inContext.length > 0 && "in its context"].filter(
    Boolean,
  );
  if (where.length > 0) return `${where.join(" and ")}${byForm([...inChunk, ...inContext])}`;
  const stems = formsOf(terms, word);
  const also = stems.length === 0 ? "" : `, also as ${stems.join(", ")}`;
  return `missing${also}${near === undefined ? "" : `; the passage has "${near}"`}`;
}

/** Says by which form, where it is not the word itself. */
function byForm(terms: readonly string[]): string {
  const met = terms.map(describeTerm);
  if (met.some(({ kind }) => kind === "as written")) return "";
  const [first] = met;
  return first === undefined ? "" : `, by its ${first.kind} "${first.text}"`;
}

function formsOf(terms: readonly string[], word: string): readonly string[] {
  const stems = terms.map(describeTerm).filter(({ kind }) => kind === "stem");
  const texts = stems.map(({ text }) => text).filter((text) => text !== word.toLowerCase());
  return [...new Set(texts)].map((text) => `"${text}"`);
}

function passageRow({ word, forms, frequency }: WhyPassageWord): readonly string[] {
  const also = forms.length === 0 ? "" : `also as ${forms.map((form) => `"${form}"`).join(", ")}`;
  return [word, `in ${count(frequency, "chunk")}`, also];
}

function remedyRow({ change, rank }: WhyReport["remedies"][number]): readonly string[] {
  return [asFlag(change), rank === undefined ? "not found" : `rank ${rank}`];
}

/** A change of options as it is typed here; what is no option stays in words. */
function asFlag(change: string): string {
  const typed = change.split(", ").map((one) => {
    const [name = "", value = ""] = one.split(": ");
    const flag = FLAGS[name];
    return flag === undefined ? undefined : `${flag} ${value}`;
  });
  return typed.includes(undefined) ? change : typed.join(" ");
}

const FLAGS: Readonly<Record<string, string>> = {
  k: "-k",
  candidates: "--candidates",
  mode: "--mode",
  rerank: "--rerank",
  "weights.vector": "--vector-weight",
};
