import { type Embedder, KonteksError } from "../../spec/index.ts";
import { exactTerms } from "../../text/exact-terms.ts";
import { isFunctionWord } from "../../text/lexical-share.ts";
import { joinBrokenWords } from "../../text/line-break.ts";
import { type WordVector, wordVector } from "./word-vector.ts";

export interface LexicalEmbedderOptions {
  /** Length of the vectors, 64 to 65,536. Default 768; fewer are smaller and noisier. */
  readonly dimensions?: number;
}

const DEFAULT_DIMENSIONS = 768;
const CACHED_WORDS = 30_000;
/** Function words of any language; a fixed list, so that a document's vector does not depend on the others. */
const STOP_WEIGHT = 0.15;

/**
 * An embedding without a model: hashed words and pieces of words. It forgives typos and inflection and knows no meaning.
 * Documents are weighted by term frequency alone, `1 + ln tf`, so that a vector never depends on what else is indexed;
 * a query's words are weighted by `idf`, which is asked for each exact term (`lexicalIdfTerms` lists them beforehand).
 * A text without words becomes the zero vector.
 */
export function createLexicalEmbedder(options: LexicalEmbedderOptions = {}): Embedder {
  const dimensions = checked(options.dimensions ?? DEFAULT_DIMENSIONS);
  const vectorOf = cachedVectors(dimensions);
  const embed = (text: string, weight: (term: string) => number) =>
    embedText(text, dimensions, vectorOf, weight);
  return {
    id: `lexical-hash-v1:${dimensions}`,
    kind: "lexical",
    dimensions,
    cached: false,
    portable: { module: import.meta.url, name: "createLexicalEmbedder", options: { dimensions } },
    embedDocuments: async (texts, { signal } = {}) =>
      texts.map((text) => {
        signal?.throwIfAborted();
        return embed(text, documentWeight);
      }),
    embedQuery: async (text, { idf } = {}) => embed(text, idf ?? documentWeight),
  };
}

function checked(dimensions: number): number {
  if (Number.isInteger(dimensions) && dimensions >= 64 && dimensions <= 65_536) return dimensions;
  const message = `The lexical embedding cannot have ${dimensions} dimensions. Use a whole number from 64 to 65,536.`;
  throw new KonteksError("wrong-option", message, { facts: { dimensions } });
}

function embedText(
  text: string,
  dimensions: number,
  vectorOf: (word: string) => WordVector,
  weight: (term: string) => number,
): Float32Array {
  const sum = new Float64Array(dimensions);
  for (const [word, count] of counts(exactTerms(joinBrokenWords(text)))) {
    const { places, values } = vectorOf(word);
    const factor = (1 + Math.log(count)) * weight(word);
    for (let i = 0; i < places.length; i++) {
      const place = places[i] as number;
      sum[place] = (sum[place] as number) + factor * (values[i] as number);
    }
  }
  return unit(sum);
}

function counts(words: readonly string[]): ReadonlyMap<string, number> {
  const found = new Map<string, number>();
  for (const word of words) found.set(word, (found.get(word) ?? 0) + 1);
  return found;
}

function unit(sum: Float64Array): Float32Array {
  let squares = 0;
  for (let i = 0; i < sum.length; i++) squares += (sum[i] as number) ** 2;
  const length = Math.sqrt(squares);
  const vector = new Float32Array(sum.length);
  if (length > 0) for (let i = 0; i < sum.length; i++) vector[i] = (sum[i] as number) / length;
  return vector;
}

function cachedVectors(dimensions: number): (word: string) => WordVector {
  const cache = new Map<string, WordVector>();
  return (word) => {
    const known = cache.get(word);
    if (known !== undefined) return known;
    if (cache.size >= CACHED_WORDS) cache.clear();
    const vector = wordVector(word, dimensions);
    cache.set(word, vector);
    return vector;
  };
}

function documentWeight(word: string): number {
  return isFunctionWord(word) ? STOP_WEIGHT : 1;
}
