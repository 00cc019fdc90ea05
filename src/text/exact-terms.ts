import { takeApart, termOf } from "./compound.ts";
import { normaliseWord } from "./normalise.ts";
import { scan } from "./scan.ts";
import { grams, segmentWords } from "./segment.ts";
import { JOINED } from "./terms.ts";

/**
 * The words of a text in order, each as its exact term in the index: the parts of joined words, pairs of characters of
 * Han and Kana, dictionary words of Thai and the like. No stems or other variants.
 */
export function exactTerms(text: string): readonly string[] {
  const terms: string[] = [];
  scan(text, (start, end, kind) => {
    const raw = text.slice(start, end);
    const found =
      kind === "word"
        ? partsOf(raw)
        : kind === "ideographs"
          ? grams(normaliseWord(raw), 2)
          : segmentWords(normaliseWord(raw)).map(termOf);
    for (const term of found) terms.push(term);
  });
  return terms;
}

/**
 * The one term under which every text finds a name, however its parts are joined (`getUserById`, `get_user_by_id`, `TS-999`
 * and `ts999`); undefined where the word is none of these, such as a path (`fs::read`), which stands inside of longer ones.
 */
export function nameTerm(word: string): string | undefined {
  const { wholes, joined } = takeApart(word);
  const [whole] = wholes;
  const [form] = joined;
  return form !== undefined && form === whole?.replace(/[^\p{L}\p{M}\p{N}]+/gu, "")
    ? JOINED + form
    : undefined;
}

const CACHED_WORDS = 30_000;
const LONGEST_CACHED = 40;
const cache = new Map<string, readonly string[]>();

/** Words come again and again, and taking one apart costs more than all else. */
function partsOf(raw: string): readonly string[] {
  const known = cache.get(raw);
  if (known !== undefined) return known;
  const parts = takeApart(raw).leaves.map(termOf);
  if (cache.size >= CACHED_WORDS) cache.clear();
  if (raw.length <= LONGEST_CACHED) cache.set(raw, parts);
  return parts;
}

/** The terms whose document frequencies the query side of the lexical embedding asks for, each once. */
export function lexicalIdfTerms(query: string): readonly string[] {
  return [...new Set(exactTerms(query))];
}
