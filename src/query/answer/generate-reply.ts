import { listOf, numbersIn } from "./lists.ts";

/** Words that the model says it relies on. */
export interface ClaimedQuote {
  /** Number of the source, from 1. */
  readonly number: number;
  readonly words: string;
}

export interface ReplyParts {
  /** The answer without its tail. */
  readonly answer: string;
  readonly quotes: readonly ClaimedQuote[];
}

/** Takes a reply apart: the answer, and the quotes in its tail, which may lack its end or be missing. */
export function splitReply(reply: string): ReplyParts {
  const tail = [...reply.matchAll(/<quotes>/gi)].at(-1);
  if (!tail) return { answer: reply.trim(), quotes: [] };
  const inside = reply.slice(tail.index + tail[0].length).replace(/<\/quotes>[\s\S]*$/i, "");
  return { answer: withoutFence(reply.slice(0, tail.index)), quotes: quotesOf(inside) };
}

/** Models put the tail into a code fence at times; its opening line is no part of the answer. */
function withoutFence(text: string): string {
  return text.replace(/\n```\w*\s*$/, "").trim();
}

function quotesOf(text: string): readonly ClaimedQuote[] {
  const list = listOf(text);
  return list.length > 0 ? list.flatMap(quotesOfItem) : quotesOfLines(text);
}

/** `{"number": 1, "words": "…"}`, or `[1, "…"]`; the numbers may be a list, and that a string of JSON. */
function quotesOfItem(item: unknown): readonly ClaimedQuote[] {
  const fields = (typeof item === "object" && item !== null ? item : {}) as Record<string | number, unknown>;
  const words = fields.words ?? fields.quote ?? fields.text ?? fields[1];
  const source = fields.number ?? fields.source ?? fields.sources ?? fields[0];
  if (typeof words !== "string") return [];
  const numbers = numbersIn(
    typeof source === "string" && /^\s*\d+\s*$/.test(source) ? Number(source) : source,
  );
  return numbers.map((number) => ({ number, words: words.trim() }));
}

function quotesOfLines(text: string): readonly ClaimedQuote[] {
  const quotes: { number: number; words: string }[] = [];
  for (const line of text.split(/\r?\n/)) {
    const numbered = /^\s*(?:[-*]\s+)?[[【](\d{1,3})[\]】]\s*:?\s*(.*)$/u.exec(line);
    const last = quotes.at(-1);
    if (numbered) quotes.push({ number: Number(numbered[1]), words: numbered[2] ?? "" });
    // A quote of several lines goes on without a number.
    else if (last && line.trim() !== "") last.words += `\n${line}`;
  }
  return quotes.map(({ number, words }) => ({ number, words: withoutMarks(words.trim()) }));
}

const pairs = ['""', "''", "“”", "‘’", "„“", "«»", "»«", "「」", "『』", "``"];

function withoutMarks(words: string): string {
  const pair = pairs.find(
    (marks) => words.length > 2 && words.startsWith(marks[0] ?? "") && words.endsWith(marks[1] ?? ""),
  );
  return pair ? words.slice(1, -1).trim() : words;
}
