import type { Span } from "../../spec/index.ts";
import { analyzeQuery } from "../../text/analyze.ts";
import { termOf } from "../../text/compound.ts";
import { isFunctionWord } from "../../text/lexical-share.ts";
import { normaliseWord } from "../../text/normalise.ts";
import { grams, segmentWords } from "../../text/segment.ts";
import { stopWords } from "../../text/stop-words.ts";
import { PAIR, unspacedPieces } from "../../text/terms.ts";
import { readAsking } from "./asking.ts";
import { isNegated } from "./negation.ts";
import type { Asked } from "./question-words.ts";

/** A word of the question. */
export interface QuestionWord {
  /** As the question writes it. */
  readonly text: string;
  /** One of these says the word in full. */
  readonly whole: readonly string[];
  /** Pieces of an identifier, or of a word that may be parted otherwise in the text. */
  readonly parts: readonly string[];
  /** What all parts together say of it, 0 to 1. */
  readonly partsShare: number;
  /** How much it counts, by its rarity in the index. */
  readonly weight: number;
  /** A name, a number or a code: what answers another one's question lacks it. */
  readonly exact: boolean;
}

/** What a question asks, as far as its words tell. */
export interface ReadQuestion {
  readonly words: readonly QuestionWord[];
  /** What its question word asks for; undefined without one. */
  readonly asks: Asked | undefined;
  /** Wants an amount, a number or a time. */
  readonly figure: boolean;
  readonly negated: boolean;
  /** What is counted where it is asked how many there are: the first word behind "how many". */
  readonly counted: QuestionWord | undefined;
}

export interface QuestionInput {
  readonly question: string;
  readonly languages: readonly string[];
  /** Rarity of a term in the index. */
  idf(term: string): number;
}

export function readQuestion({ question, languages, idf }: QuestionInput): ReadQuestion {
  const asking = readAsking(question);
  const spoken = asking.language === undefined ? languages : [...new Set([...languages, asking.language])];
  const { words, terms, identifiers } = analyzeQuery(withoutAsking(question, asking.spans), {
    languages: spoken,
  });
  const weights = new Map(terms.map(({ term, weight }) => [term, weight]));
  const small = stopWords(asking.language ?? "");
  const read = words.flatMap((word): readonly QuestionWord[] => {
    const own = word.terms.filter((term) => !term.startsWith(PAIR));
    // An index of another language lacks these words; that makes them rare, but tells nothing.
    const rare = small.has(word.text.toLowerCase())
      ? () => 1
      : (terms: readonly string[]) => rarity(terms, idf);
    const weigh = (part: readonly string[]) => weightOf(part, weights) * rare(part);
    const exact = isExact(word.text, question.slice(0, word.start));
    if (UNSPACED.test(word.text)) return wordsOfRun(word.text, idf);
    if (!identifiers.includes(word.text))
      return [{ text: word.text, whole: own, parts: [], partsShare: 0, weight: weigh(own), exact }];
    const whole = own.slice(0, 1);
    return [
      {
        text: word.text,
        whole,
        parts: own.slice(1),
        partsShare: IDENTIFIER_PARTS,
        weight: weigh(whole),
        exact: true,
      },
    ];
  });
  const figure = asking.kind === "time" || asking.kind === "amount" || FIGURE_NOUN.test(question);
  const behind = words.find(
    ({ start, text }) => start >= (asking.spans[0]?.end ?? 0) && !UNSPACED.test(text),
  );
  const counted = asking.kind === "amount" ? read.find(({ text }) => text === behind?.text) : undefined;
  return { words: read, asks: asking.kind, figure, negated: isNegated(question, asking.language), counted };
}

/** The words of a run of a script without spaces, by their pieces: where a text parts its words otherwise, those still agree. */
function wordsOfRun(run: string, idf: QuestionInput["idf"]): readonly QuestionWord[] {
  return segmentWords(normaliseWord(run)).flatMap((word): QuestionWord[] => {
    const terms = IDEOGRAPHS.test(word) ? grams(word, 2) : [termOf(word)];
    const parts = IDEOGRAPHS.test(word) || word.length <= 3 ? [] : unspacedPieces(word);
    const share = (isFunctionWord(word) ? SMALL_SHARE : 1) / terms.length;
    return terms.map((term) => ({
      text: word,
      whole: [term],
      parts,
      partsShare: WORD_PARTS,
      weight: share * rarity([term], idf),
      exact: false,
    }));
  });
}

/** Blank where it asks, so that every other word keeps its place; as it is when it does nothing but ask. */
function withoutAsking(question: string, spans: readonly Span[]): string {
  const rest = spans.reduce(
    (text, { start, end }) => text.slice(0, start) + " ".repeat(end - start) + text.slice(end),
    question,
  );
  return /[\p{L}\p{N}]/u.test(rest) ? rest : question;
}

/** Written with a capital inside the sentence, or with a digit; "The" of a title is as small a word as ever. */
function isExact(word: string, before: string): boolean {
  if (/\p{N}/u.test(word)) return true;
  return /^\p{Lu}/u.test(word) && /[\p{L}\p{N},]\s+$/u.test(before) && !isFunctionWord(word.toLowerCase());
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

/** The parts of an identifier may be those of another one. */
const IDENTIFIER_PARTS = 0.3;
const WORD_PARTS = 0.9;
/** What a function word counts beside another word. */
const SMALL_SHARE = 0.15;
const IDEOGRAPHS = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]/u;

export const UNSPACED =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u;

/** Nouns whose answer is a figure; they are looked for like any other word. */
const FIGURE_NOUN =
  /(?<![\p{L}\p{M}])(?:range|price|cost|costs|amount|total|percentage|rate|weight|length|width|height|size|speed|temperature|duration|fee|harga|biaya|jumlah|suhu|berat|panjang|tinggi|lebar|luas|kecepatan|persentase|preis|kosten|betrag|gewicht|länge|breite|höhe|größe|temperatur|dauer|giá|chi phí|số lượng|nhiệt độ)(?![\p{L}\p{M}])|价格|费用|温度|重量|长度|高度|ราคา|อุณหภูมิ|น้ำหนัก/iu;
