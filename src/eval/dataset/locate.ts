import { KonteksError } from "../../spec/index.ts";
import { type LeftOut, whyLeftOut } from "../left-out.ts";
import type { DraftQuestion, GoldPassage, Question, QuotedGold } from "../types.ts";
import { findQuoteIn } from "./quote.ts";

/** What gold is looked up in. */
export interface SourceText {
  readonly id: string;
  readonly text: string;
}

/**
 * Turns quotes into spans and holds spans against the texts. Every gold passage that is not found, found twice, past
 * the end of its document, no longer says what its quote says, or lies in a file that cannot be read is reported with
 * file and line, all in one error.
 */
export function locateGold(
  drafts: readonly DraftQuestion[],
  documents: readonly SourceText[],
  leftOut: readonly LeftOut[] = [],
): readonly Question[] {
  const texts = new Map(documents.map((document) => [document.id, document.text]));
  const wrong: string[] = [];
  const questions = drafts.map(({ at, ...draft }) => ({
    ...draft,
    gold: draft.gold.flatMap((gold) => {
      const located = unreadable(gold, leftOut) ?? locate(gold, texts);
      if (typeof located !== "string") return [located];
      wrong.push(`${at}: ${located}`);
      return [];
    }),
  }));
  refuseDuplicates(drafts, wrong);
  if (wrong.length > 0) throw goldError(wrong);
  return questions;
}

function unreadable({ documentId }: { readonly documentId: string }, leftOut: readonly LeftOut[]) {
  const reason = whyLeftOut(documentId, leftOut);
  return reason && `"${documentId}" holds a passage that answers but cannot be read: ${reason}`;
}

function locate(gold: GoldPassage | QuotedGold, texts: ReadonlyMap<string, string>): GoldPassage | string {
  return "start" in gold ? checkSpan(gold, texts) : locateQuote(gold, texts);
}

function checkSpan(gold: GoldPassage, texts: ReadonlyMap<string, string>): GoldPassage | string {
  const text = texts.get(gold.documentId);
  if (text === undefined) return `document "${gold.documentId}" is not in the corpus`;
  if (gold.end > text.length) {
    return `the passage ends at ${gold.end} but "${gold.documentId}" has ${text.length} characters; the document has changed`;
  }
  if (gold.quote === undefined || text.slice(gold.start, gold.end) === gold.quote) return plain(gold);
  const moved = locateQuote({ documentId: gold.documentId, quote: gold.quote, grade: gold.grade }, texts);
  return typeof moved === "string" ? `${moved}; the document has changed` : moved;
}

function plain({ documentId, start, end, grade, quote }: GoldPassage): GoldPassage {
  return { documentId, start, end, grade, ...(quote === undefined ? {} : { quote }) };
}

function locateQuote(gold: QuotedGold, texts: ReadonlyMap<string, string>): GoldPassage | string {
  const named = gold.documentId !== "";
  if (named && !texts.has(gold.documentId)) return `document "${gold.documentId}" is not in the corpus`;
  const ids = named ? [gold.documentId] : [...texts.keys()];
  const documents = ids.map((id) => ({ id, text: texts.get(id) ?? "" }));
  const places = findQuoteIn(documents, gold.quote).map(({ in: { id, text }, place: { start, end } }) => ({
    documentId: id,
    start,
    end,
    grade: gold.grade,
    quote: text.slice(start, end),
  }));
  const [place] = places;
  if (place !== undefined && places.length === 1) return place;
  const where = named ? `in "${gold.documentId}"` : "in any document";
  return places.length === 0
    ? `the quote ${shown(gold.quote)} does not stand ${where}`
    : `the quote ${shown(gold.quote)} stands ${places.length} times (${places.map(placeName).join(", ")}); give more of its words`;
}

function placeName(place: GoldPassage): string {
  return `${place.documentId} at ${place.start}`;
}

function shown(quote: string): string {
  return JSON.stringify(quote.length > 60 ? `${quote.slice(0, 57)}…` : quote);
}

function refuseDuplicates(drafts: readonly DraftQuestion[], wrong: string[]): void {
  const first = new Map<string, string>();
  for (const { id, at } of drafts) {
    const earlier = first.get(id);
    if (earlier !== undefined) wrong.push(`${at}: the id "${id}" is taken by ${earlier}`);
    first.set(id, earlier ?? at);
  }
}

function goldError(wrong: readonly string[]): KonteksError {
  const shownLines = wrong.slice(0, 20).map((line) => `\n  ${line}`);
  const rest = wrong.length > 20 ? `\n  … and ${wrong.length - 20} more` : "";
  return new KonteksError(
    "wrong-option",
    `${wrong.length} of the question set's lines do not fit the documents:${shownLines.join("")}${rest}\nCorrect these lines and run again.`,
    { facts: { lines: wrong } },
  );
}
