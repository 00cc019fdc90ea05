import type { Span } from "../../spec/index.ts";
import { stopWords } from "../../text/stop-words.ts";
import { type Asked, QUESTION_WORDS } from "./question-words.ts";

/** Where and for what a question asks. */
export interface Asking {
  /** BCP 47 primary tag of the language that the question's small words are of; undefined when they tell none. */
  readonly language: string | undefined;
  readonly kind: Asked | undefined;
  /** The words that ask. */
  readonly spans: readonly Span[];
}

const NONE: Asking = { language: undefined, kind: undefined, spans: [] };

interface Asker {
  readonly language: string;
  readonly pattern: RegExp;
  readonly kinds: ReadonlyMap<string, Asked>;
}

/** Reads a question with the words of the language that it holds most small words of. */
export function readAsking(question: string): Asking {
  askers ??= Object.entries(QUESTION_WORDS).map(([language, words]) => askerOf(language, words));
  let best: { readonly score: number; readonly asking: Asking } = { score: 0, asking: NONE };
  const text = question.replace(/[\u2018\u2019]/g, "'");
  for (const asker of askers) {
    const found = matches(asker, text);
    if (found.length === 0) continue;
    const small = stopWords(asker.language);
    const rest = wordsOf(without(text, found)).filter((word) => small.has(word));
    const score = found.reduce((sum, { words }) => sum + words.split(" ").length, 0) + rest.length;
    if (score > best.score) best = { score, asking: toAsking(asker.language, found) };
  }
  return best.asking;
}

let askers: readonly Asker[] | undefined;

/** Words are not parted by spaces, or endings stand right behind them (얼마입니까). */
const UNBOUND_LANGUAGES = new Set(["zh", "ja", "th", "ko"]);

function askerOf(language: string, words: Readonly<Partial<Record<Asked, string>>>): Asker {
  const kinds = new Map<string, Asked>();
  for (const [kind, list] of Object.entries(words))
    for (const word of list.split("|")) if (!kinds.has(word)) kinds.set(word, kind as Asked);
  const longestFirst = [...kinds.keys()].sort((a, b) => b.length - a.length);
  const any = `(?:${longestFirst.map((word) => word.replace(/[.]/g, "\\.").replace(/ /g, "\\s+")).join("|")})`;
  const source = UNBOUND_LANGUAGES.has(language)
    ? any
    : `(?<![\\p{L}\\p{M}\\p{N}])${any}(?![\\p{L}\\p{M}\\p{N}])`;
  return { language, pattern: new RegExp(source, "giu"), kinds };
}

function wordsOf(text: string): readonly string[] {
  return text.toLowerCase().match(/[\p{L}\p{M}]+/gu) ?? [];
}

function without(text: string, spans: readonly Span[]): string {
  return spans.reduceRight((rest, { start, end }) => `${rest.slice(0, start)} ${rest.slice(end)}`, text);
}

interface Match extends Span {
  readonly words: string;
  readonly kind: Asked;
}

function matches({ pattern, kinds }: Asker, text: string): readonly Match[] {
  return [...text.matchAll(pattern)].map(({ 0: written, index }) => ({
    start: index,
    end: index + written.length,
    words: written,
    kind: kinds.get(written.toLowerCase().replace(/\s+/gu, " ")) ?? "thing",
  }));
}

/** The first word that asks for something of a kind decides; "what" may be about anything. */
function toAsking(language: string, found: readonly Match[]): Asking {
  const kind = (found.find(({ kind: one }) => one !== "thing") ?? found[0])?.kind;
  return { language, kind, spans: found.map(({ start, end }) => ({ start, end })) };
}
