import type { Answer, AnswerCall, Citation } from "../../spec/index.ts";
import { looksLikeCode } from "../../text/code-likeness.ts";
import type { View } from "../io.ts";
import { indent, oneLine, truncate, wrap } from "./layout.ts";
import { placeLine, placeOf } from "./place.ts";
import { snippet } from "./snippet.ts";

const INDENT = "    ";

export interface AnswerView {
  /** The text has been shown already, as it was written. Default false. */
  readonly streamed?: boolean;
  /** Show what every call used and cost. Default false. */
  readonly cost?: boolean;
}

/** An answer for people: the text, who wrote it, and each citation with its place and the quoted words. */
export function renderAnswer(answer: Answer, view: View, how: AnswerView = {}): string {
  const sources = answer.citations.map((citation) => renderCitation(citation, view));
  const notes = answer.notes.map((note) => view.paint.yellow(`note: ${note}`));
  return [
    how.streamed ? "" : answerText(answer, view),
    origin(answer, view),
    sources.join("\n"),
    doubts(answer, view),
    notes.join("\n"),
    nearestPlaces(answer, view),
    how.cost ? callLines(answer, view) : "",
  ]
    .filter((part) => part !== "")
    .join("\n\n");
}

function answerText(answer: Answer, { columns }: View): string {
  if (answer.kind === "none" && answer.text === "") return "Not found in these documents.";
  if (answer.kind !== "extract") return wrap(marked(answer), columns).join("\n");
  // An extract ends with its number.
  const extracts = answer.text.split(/(?<=\[\d+\])\n/);
  return extracts.flatMap((extract) => quoteLines(extract, columns)).join("\n");
}

/** Lines of code stay as they are, and so do items of a list; what else was quoted is one paragraph, whatever its line ends were. */
function quoteLines(quote: string, width: number): readonly string[] {
  if (quote.includes("\n") && looksLikeCode(quote))
    return quote.split(/\r?\n/).map((line) => truncate(line, width));
  return quote.split(LIST_ITEMS).flatMap((part) => wrap(oneLine(part), width));
}

const LIST_ITEMS = /\r?\n(?=[^\S\n]*(?:[-*+•‣◦]|\d{1,3}[.)])\s)/;

/** Sentences that are not supported carry a mark, with and without colours. */
function marked({ text, sentences = [] }: Answer): string {
  let shown = "";
  let from = 0;
  for (const { verdict, end } of sentences) {
    if (verdict !== "unsupported") continue;
    shown += `${text.slice(from, end)} (unsupported)`;
    from = end;
  }
  return shown + text.slice(from);
}

/** Which sentences are not supported, and why. */
function doubts({ text, sentences = [] }: Answer, { paint, columns }: View): string {
  const lines = sentences
    .filter(({ verdict }) => verdict === "unsupported")
    .flatMap(({ start, end, reasons }) => {
      const said = truncate(`unsupported: ${oneLine(text.slice(start, end))}`, columns);
      return [paint.red(said), ...reasons.map((reason) => paint.dim(`  ${reason}`))];
    });
  return lines.join("\n");
}

function origin(answer: Answer, { paint }: View): string {
  const { kind, model, modeReason, standalone } = answer;
  const asked = standalone === undefined ? [] : [paint.dim(`Asked as: ${standalone}`)];
  const from = modeReason === undefined ? [] : [paint.dim(modeReason)];
  if (kind === "extract") return [...asked, paint.dim(extractsAre(answer))].join("\n");
  if (kind === "none") return [...asked, ...from].join("\n");
  return [...asked, paint.dim(`Written by ${model ?? "a model"} from the sources below.`), ...from].join(
    "\n",
  );
}

/** A row of a table is told with the cells of its header; its own words are with the citation. */
function extractsAre({ text, sentences = [], citations }: Answer): string {
  const retold = sentences.some(({ start, end, citations: [place = -1] }) => {
    const quote = citations[place]?.quote ?? "";
    return !text.slice(start, end).startsWith(quote);
  });
  const rows = retold ? ", rows of tables with the cells of their header" : "";
  return `Extracts, word for word from the documents${rows}; no model was asked.`;
}

function renderCitation(citation: Citation, view: View): string {
  const { paint } = view;
  const width = view.columns - INDENT.length;
  const quote = quoteLines(`“${citation.quote}”`, width);
  const doubt = citation.verified ? [] : [paint.red("these words were not found in the source")];
  const support = supportLines(citation).map((line) => paint.dim(truncate(line, width)));
  const below = indent([placeLine(citation, view, width), ...quote, ...support, ...doubt], INDENT);
  return `${paint.bold(`[${citation.number}]`)} ${citation.title}\n${below}`;
}

/** `ACME, Q2: in the title “ACME, second quarter”`. */
function supportLines({ support = [] }: Citation): readonly string[] {
  const places = [...new Set(support.map(({ place, words }) => `${place}\n${words}`))];
  return places.map((key) => {
    const [place = "", words = ""] = [key.slice(0, key.indexOf("\n")), key.slice(key.indexOf("\n") + 1)];
    const facts = support.filter((one) => one.place === place && one.words === words);
    return `${facts.map(({ fact }) => fact).join(", ")}: in the ${place} “${oneLine(words)}”`;
  });
}

/** When nothing answers, what came nearest may still help: its place, and a line of its words. */
function nearestPlaces(answer: Answer, view: View): string {
  if (answer.kind !== "none" || answer.hits.length === 0) return "";
  const places = answer.hits.slice(0, 3).flatMap((hit) => {
    const shown = snippet(hit.text, answer.standalone ?? answer.question, view.columns - INDENT.length);
    const line = hit.lines[0] + shown.linesBefore;
    const place = placeOf({ ...hit, lines: [line, line] }, view);
    return [truncate(`  ${place}  ${hit.title}`, view.columns), `${INDENT}${shown.text}`];
  });
  return view.paint.dim(["Nearest, but no answer:", ...places].join("\n"));
}

function callLines({ calls = [], cost }: Answer, { paint }: View): string {
  if (calls.length === 0) return paint.dim("No model was called.");
  const total = cost === undefined ? "cost unknown: no price for the model" : `together ${dollars(cost)}`;
  return paint.dim([...calls.map(callLine), total].join("\n"));
}

function callLine({ purpose, usage, cost, ms }: AnswerCall): string {
  const { inputTokens, outputTokens, cacheReadTokens, cacheWriteTokens } = usage;
  const cache =
    cacheReadTokens + cacheWriteTokens === 0
      ? ""
      : ` (${cacheReadTokens} from the cache, ${cacheWriteTokens} into it)`;
  const price = cost === undefined ? "" : `, ${dollars(cost)}`;
  return `${purpose}: ${inputTokens} tokens in${cache}, ${outputTokens} out${price}, ${(ms / 1_000).toFixed(1)} s`;
}

function dollars(cost: number): string {
  return `$${cost.toFixed(cost < 0.01 ? 5 : 3)}`;
}
