import type { Store, StoredChunk, WhyPassageWord, WhyWord } from "../spec/index.ts";
import { analyzeField } from "../text/analyze.ts";
import { termOf } from "../text/compound.ts";
import { describeTerm } from "../text/describe-term.ts";
import { exactTerms } from "../text/exact-terms.ts";
import { textForBm25 } from "../text/index-text.ts";
import { isFunctionWord } from "../text/lexical-share.ts";
import { normaliseWord } from "../text/normalise.ts";
import { type RunKind, scan } from "../text/scan.ts";
import { grams, segmentWords } from "../text/segment.ts";
import { nearTo } from "./near-forms.ts";
import type { SearchLists } from "./search.ts";

type QueryWord = SearchLists["query"]["words"][number];
type Terms = ReadonlyMap<string, number>;

/** What each word of the query meets in the passage. */
export function queryWords(
  text: string,
  { query, statistics }: SearchLists,
  passage: StoredChunk,
): readonly WhyWord[] {
  const { body, around } = fieldsOf(passage);
  const words = exactTerms(Object.values(textForBm25(passage)).join("\n"));
  const kinds = kindsOf(text);
  return query.words
    .flatMap((word, i) => partsOf(word, kinds[i] ?? "word"))
    .map(({ text: word, terms, whole }) => {
      const counts = terms.map(statistics.frequency);
      const inChunk = found(terms, [body], whole);
      const inContext = found(terms, around, whole);
      const missing = inChunk.length + inContext.length === 0;
      const [near] = missing ? nearTo(normaliseWord(word), [...new Set(words)]) : [];
      return {
        word,
        terms,
        inChunk,
        inContext,
        frequency: whole ? Math.min(...counts) : Math.max(0, ...counts),
        function: isFunctionWord(termOf(word)),
        ...(near !== undefined && { near }),
      };
    });
}

function fieldsOf(passage: StoredChunk) {
  const { body, ...around } = textForBm25(passage);
  const { language } = passage;
  const terms = (text: string): Terms => analyzeField(text, { language }).terms;
  return { body: terms(body), around: Object.values(around).map(terms) };
}

/** Terms that stand in one of the fields; a word of several pairs has to stand there with all of them. */
function found(terms: readonly string[], fields: readonly Terms[], whole: boolean): readonly string[] {
  if (whole) return fields.some((field) => terms.every((term) => field.has(term))) ? terms : [];
  return terms.filter((term) => fields.some((field) => field.has(term)));
}

interface Part {
  readonly text: string;
  readonly terms: readonly string[];
  /** All of its terms make up the word. */
  readonly whole: boolean;
}

/** A run of a script without spaces is looked at by the words of a dictionary: nobody reads pairs of characters. */
function partsOf({ text, terms }: QueryWord, kind: RunKind): readonly Part[] {
  if (kind === "word") return [{ text, terms, whole: false }];
  return segmentWords(normaliseWord(text)).map((part) => {
    if (kind !== "ideographs") return { text: part, terms: [termOf(part)], whole: true };
    const pairs = grams(part, 2);
    return { text: part, terms: pairs.length === 0 ? [part] : pairs, whole: true };
  });
}

function kindsOf(query: string): readonly RunKind[] {
  const kinds: RunKind[] = [];
  scan(query, (_start, _end, kind) => kinds.push(kind));
  return kinds;
}

const PASSAGE_WORDS = 8;

/** The rarest words of a passage, with what the analyzer made of them: a query that names one finds it. */
export async function passageWords(store: Store, passage: StoredChunk): Promise<readonly WhyPassageWord[]> {
  const { text } = passage.chunk;
  const words = [...new Set(wordsIn(text))].filter((word) => !isFunctionWord(termOf(word)));
  const known = words.map((word) => ({ word, terms: exactTerms(word) }));
  const { frequencies } = await store.documentFrequencies(known.map(({ terms }) => terms[0] ?? ""));
  return known
    .map(({ word }, i) => ({ word, forms: formsOf(word, passage.language), frequency: frequencies[i] ?? 0 }))
    .filter(({ frequency }) => frequency > 0)
    .toSorted((a, b) => a.frequency - b.frequency)
    .slice(0, PASSAGE_WORDS);
}

/** The words of a text in lower case; runs without spaces by dictionary. */
function wordsIn(text: string): readonly string[] {
  const words: string[] = [];
  scan(text, (start, end, kind) => {
    const raw = normaliseWord(text.slice(start, end));
    if (kind === "word") words.push(raw);
    else words.push(...segmentWords(raw).filter((word) => [...word].length > 1));
  });
  return words;
}

/** Other forms under which a word is found, without the signs of the index. */
function formsOf(word: string, language: string | undefined): readonly string[] {
  const terms = [...analyzeField(word, { language }).terms.keys()].map(describeTerm);
  const forms = terms.filter(({ kind, text }) => kind === "stem" && text !== word).map(({ text }) => text);
  return [...new Set(forms)];
}
