import type { Hit, SearchResult } from "../../spec/index.ts";
import type { View } from "../io.ts";
import { explainLines, stageLines } from "./explain.ts";
import { indent, oneLine, truncate, wrap } from "./layout.ts";
import { placeLine } from "./place.ts";
import { snippet } from "./snippet.ts";

const SNIPPET_LINES = 3;
const INDENT = "    ";

/** Hits for people, best first: title, place, scores by name, words of the source, and the context apart from them. */
export function renderHits(result: SearchResult, view: View, { stages = false } = {}): string {
  const { hits, query } = result;
  const found =
    hits.length === 0
      ? `Nothing found for “${query}”.`
      : hits.map((hit) => renderHit(hit, query, view)).join("\n\n");
  if (!stages) return found;
  return `${found}\n\n${view.paint.bold("Stages")}\n${stageLines(result)
    .map((line) => `  ${line}`)
    .join("\n")}`;
}

function renderHit(hit: Hit, query: string, view: View): string {
  const { paint } = view;
  const width = view.columns - INDENT.length;
  const shown = hit.expanded
    ? { text: hit.expanded.text, linesBefore: 0 }
    : snippet(hit.text, query, width * SNIPPET_LINES - 2);
  const line = (hit.expanded ?? hit).lines[0] + shown.linesBefore;
  const place = { ...hit, lines: [line, line] as const };
  const lines = [
    `${paint.bold(String(hit.rank).padStart(2))}  ${paint.bold(hit.title)}`,
    INDENT + placeLine(place, view, width),
    INDENT + paint.dim(scoresOf(hit)),
    indent(wrap(shown.text, width), INDENT),
  ];
  const context = contextLine(hit, width);
  return [
    ...lines,
    ...(context === undefined ? [] : [INDENT + paint.dim(context)]),
    ...aside(hit, width).map((line) => INDENT + paint.dim(line)),
  ].join("\n");
}

/** What else there is to say of a hit. */
function aside(hit: Hit, width: number): readonly string[] {
  const { folded = [], expanded } = hit;
  return [
    ...(folded.length > 0 ? [truncate(`the same: ${folded.join(", ")}`, width)] : []),
    ...(expanded ? [`expanded by ${expanded.by}: lines ${expanded.lines.join("–")}`] : []),
    ...explainLines(hit),
  ];
}

/** "rrf 0.0325 · bm25 7.41 (1st in text) · cosine 0.512 (2nd in vector)". */
export function scoresOf({ scores, scoreKind, ranks }: Hit): string {
  const names = Object.keys(scores) as (keyof typeof scores)[];
  const ordered = [scoreKind, ...names.filter((name) => name !== scoreKind)];
  return ordered
    .flatMap((name) => {
      const value = scores[name];
      return value === undefined ? [] : [`${name} ${precise(value)}${rankIn(LIST_OF[name], ranks)}`];
    })
    .join(" · ");
}

const LIST_OF: Readonly<Record<string, string>> = { bm25: "text", cosine: "vector", rerank: "rerank" };

function rankIn(list: string | undefined, ranks: Hit["ranks"]): string {
  const rank = list === undefined ? undefined : ranks[list];
  return rank === undefined ? "" : ` (#${rank} in ${list})`;
}

function precise(value: number): string {
  return Math.abs(value) < 1 ? value.toFixed(4) : value.toFixed(2);
}

function contextLine({ context }: Hit, width: number): string | undefined {
  if (context.kind === "none" || context.text === "") return undefined;
  return truncate(`context (${context.kind}, not source): ${oneLine(context.text)}`, width);
}
