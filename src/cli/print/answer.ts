import type { Answer, Citation } from "../../spec/index.ts";
import type { View } from "../io.ts";
import { indent, oneLine, truncate, wrap } from "./layout.ts";
import { placeLine, placeOf } from "./place.ts";

const INDENT = "    ";

/** An answer for people: the text, who wrote it, and each citation with its place and the quoted words. */
export function renderAnswer(answer: Answer, view: View): string {
  const parts = [answerText(answer, view), origin(answer, view)];
  const sources = answer.citations.map((citation) => renderCitation(citation, view));
  const notes = answer.notes.map((note) => view.paint.yellow(`note: ${note}`));
  return [...parts, sources.join("\n"), notes.join("\n"), nearestPlaces(answer, view)]
    .filter((part) => part !== "")
    .join("\n\n");
}

function answerText(answer: Answer, { columns }: View): string {
  if (answer.kind === "none" && answer.text === "") return "Not found in these documents.";
  return wrap(answer.kind === "extract" ? unbroken(answer.text) : answer.text, columns).join("\n");
}

/** Extracts keep the line ends of their source; only those after a citation part one extract from the next. */
function unbroken(text: string): string {
  return text.replace(/(?<!\]\s*)\s*\n\s*/g, " ");
}

function origin({ kind, model }: Answer, { paint }: View): string {
  if (kind === "extract") return paint.dim("Extracts, word for word from the documents; no model was asked.");
  return kind === "generated" ? paint.dim(`Written by ${model ?? "a model"} from the sources below.`) : "";
}

function renderCitation(citation: Citation, view: View): string {
  const { paint } = view;
  const width = view.columns - INDENT.length;
  const quote = wrap(`“${oneLine(citation.quote)}”`, width);
  const doubt = citation.verified ? [] : [paint.red("these words were not found in the source")];
  const below = indent([placeLine(citation, view, width), ...quote, ...doubt], INDENT);
  return `${paint.bold(`[${citation.number}]`)} ${citation.title}\n${below}`;
}

/** When nothing answers, what came nearest may still help. */
function nearestPlaces(answer: Answer, view: View): string {
  if (answer.kind !== "none" || answer.hits.length === 0) return "";
  const places = answer.hits
    .slice(0, 3)
    .map((hit) => truncate(`  ${placeOf(hit, view)}  ${hit.title}`, view.columns));
  return view.paint.dim(["Nearest, but no answer:", ...places].join("\n"));
}
