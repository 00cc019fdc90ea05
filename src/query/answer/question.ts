import type { Span } from "../../spec/index.ts";
import { analyzeQuery } from "../../text/analyze.ts";
import { PAIR } from "../../text/terms.ts";

/** A word of the question. */
export interface QuestionWord {
  /** One of these says the word in full. */
  readonly whole: readonly string[];
  /** Pieces of an identifier; all together they say a part of it. */
  readonly parts: readonly string[];
  /** How much it counts, by its rarity in the index. */
  readonly weight: number;
  /** A name, a number or a code: what answers another one's question lacks it. */
  readonly exact: boolean;
}

/** What a question asks, as far as its words tell. */
export interface ReadQuestion {
  readonly words: readonly QuestionWord[];
  /** Wants an amount, a number or a time. */
  readonly figure: boolean;
  readonly negated: boolean;
}

export interface QuestionInput {
  readonly question: string;
  readonly languages: readonly string[];
  /** Rarity of a term in the index. */
  idf(term: string): number;
}

export function readQuestion({ question, languages, idf }: QuestionInput): ReadQuestion {
  const { words, terms, identifiers } = analyzeQuery(question, { languages });
  const weights = new Map(terms.map(({ term, weight }) => [term, weight]));
  const weigh = (part: readonly string[]) => weightOf(part, weights) * rarity(part, idf);
  const asking = askingSpans(question);
  const asked = words.filter(
    (word) => !asking.some((span) => span.start <= word.start && word.end <= span.end),
  );
  const read = asked.flatMap((word): QuestionWord[] => {
    const own = word.terms.filter((term) => !term.startsWith(PAIR));
    const exact = isExact(word.text, question.slice(0, word.start));
    // A run of a script without spaces is many words: each of its pieces counts for itself.
    if (UNSPACED.test(word.text))
      return own.map((term) => ({ whole: [term], parts: [], weight: weigh([term]), exact: false }));
    if (!identifiers.includes(word.text)) return [{ whole: own, parts: [], weight: weigh(own), exact }];
    const whole = own.slice(0, 1);
    return [{ whole, parts: own.slice(1), weight: weigh(whole), exact: true }];
  });
  const figure = asking.length > 0 || FIGURE_NOUN.test(question);
  return { words: read, figure, negated: isNegated(question) };
}

/** Written with a capital inside the sentence, or with a digit. */
function isExact(word: string, before: string): boolean {
  return /\p{N}/u.test(word) || (/^\p{Lu}/u.test(word) && /[\p{L}\p{N},]\s+$/u.test(before));
}

function weightOf(terms: readonly string[], weights: ReadonlyMap<string, number>): number {
  return Math.max(0, ...terms.map((term) => weights.get(term) ?? 0));
}

/**
 * Of a word's forms the most frequent one tells how rare it is; a form that the index lacks says nothing. The 1 keeps a
 * word that a small index lacks from outweighing all the others.
 */
function rarity(terms: readonly string[], idf: (term: string) => number): number {
  return terms.length === 0 ? 0 : 1 + Math.min(...terms.map(idf));
}

export const UNSPACED =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u;

/** Words that ask for an amount, a number or a time, in the languages that have a structural form. */
const ASKING =
  /(?<![\p{L}\p{M}])(?:how (?:much|many|long|old|far|high|big|large)|when|what (?:percent|number|amount|year|date)|berapa(?: banyak| lama)?|kapan|bao nhiêu|khi nào|mấy|wie ?viele?|wann|combien|quand|cuánt[oa]s?|cuándo)(?![\p{L}\p{M}])|多少|几|何时|什么时候|เท่าไร|เท่าไหร่|กี่|เมื่อไร|いくら|いつ/giu;

/** Nouns whose answer is a figure; they are looked for like any other word. */
const FIGURE_NOUN =
  /(?<![\p{L}\p{M}])(?:range|price|cost|costs|amount|total|percentage|rate|weight|length|width|height|size|speed|temperature|duration|fee|harga|biaya|jumlah|suhu|berat|panjang|tinggi|lebar|luas|kecepatan|persentase|preis|kosten|betrag|gewicht|länge|breite|höhe|größe|temperatur|dauer|giá|chi phí|số lượng|nhiệt độ)(?![\p{L}\p{M}])|价格|费用|温度|重量|长度|高度|ราคา|อุณหภูมิ|น้ำหนัก/iu;

/** Where the question asks: "how long" wants a figure, not the word "long". */
function askingSpans(question: string): readonly Span[] {
  return [...question.matchAll(ASKING)].map(({ index, 0: words }) => ({
    start: index,
    end: index + words.length,
  }));
}

const NEGATION =
  /(?<![\p{L}\p{M}])(?:not|never|no|without|cannot|isn't|doesn't|don't|wasn't|didn't|tidak|bukan|belum|tanpa|jangan|không|chưa|chẳng|nicht|kein(?:e[nmrs]?)?|nie|ohne|ne|pas|jamais|sans|nunca|sin)(?![\p{L}\p{M}])|不|没|無|未|非|ไม่|ません|ない/iu;

export function isNegated(text: string): boolean {
  return NEGATION.test(text);
}
