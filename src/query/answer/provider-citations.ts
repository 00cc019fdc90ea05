import type { GenerateReply } from "../../llm/ai.ts";
import type { Evidence } from "../../spec/index.ts";
import type { ClaimedQuote } from "./generate-reply.ts";
import { createQuoteFinder } from "./quotes.ts";

/**
 * A provider's own citations as marks and quotes like the model's, so that they go through the same check: each names the
 * source in which its words stand. Words that stand in none are not taken over; the sentence then lacks a source.
 */
export function withProviderCitations(
  { text, citations = [] }: Pick<GenerateReply, "text" | "citations">,
  evidence: readonly Evidence[],
): { readonly text: string; readonly quotes: readonly ClaimedQuote[] } {
  const finder = createQuoteFinder([], evidence);
  const quotes: ClaimedQuote[] = [];
  let marked = text;
  // From the end, so that the places in front stay where they are.
  for (const { at, words, document } of citations.toSorted((a, b) => b.at - a.at)) {
    const named = document === undefined ? [] : evidence.slice(document, document + 1);
    const number = [...named, ...evidence].find((one) => finder.verbatim(one.number, words))?.number;
    if (number === undefined) continue;
    quotes.unshift({ number, words });
    const mark = `[${number}]`;
    const near = marked.slice(Math.max(0, at - mark.length - 2), at + mark.length + 2);
    const end = text.slice(0, at).trimEnd().length;
    if (!near.includes(mark)) marked = `${marked.slice(0, end)} ${mark}${marked.slice(end)}`;
  }
  return { text: marked, quotes };
}
