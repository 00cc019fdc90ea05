/** OpenAI's Embeddings API ("Create embeddings"). */
import { asList, asNumber, type Json } from "./json.ts";
import { tokensOf } from "./tokens.ts";
import type { ProviderError } from "./types.ts";

/** "Create embeddings", on `input`: texts in a request, tokens in a text, tokens in a request. */
const mostTexts = 2_048;
const mostTokensOfText = 8_192;
const mostTokens = 300_000;

export interface Embeddings {
  readonly body: Json;
  readonly tokens: number;
}

export function embeddingsOf(
  body: Json,
  model: string,
  defaultDimensions: number,
): Embeddings | ProviderError {
  const texts = typeof body.input === "string" ? [body.input] : asList(body.input);
  const counts = texts.map((text) => (typeof text === "string" ? tokensOf(text) : 0));
  const wrong = whatIsWrong(texts, counts);
  if (wrong !== undefined) return { status: 400, message: wrong };
  const dimensions = asNumber(body.dimensions) ?? defaultDimensions;
  const data = texts.map((text, index) => ({
    object: "embedding",
    index,
    embedding: vectorOf(String(text), dimensions),
  }));
  const tokens = counts.reduce((sum, count) => sum + count, 0);
  return {
    tokens,
    body: { object: "list", data, model, usage: { prompt_tokens: tokens, total_tokens: tokens } },
  };
}

function whatIsWrong(texts: readonly unknown[], counts: readonly number[]): string | undefined {
  if (texts.length === 0 || texts.some((text) => typeof text !== "string" || text === ""))
    return "'$.input' is invalid.";
  if (texts.length > mostTexts)
    return `Invalid 'input': array too long. Expected at most ${mostTexts} elements.`;
  const long = counts.find((count) => count > mostTokensOfText);
  if (long !== undefined)
    return `This model's maximum context length is ${mostTokensOfText} tokens, however you requested ${long} tokens.`;
  const sum = counts.reduce((total, count) => total + count, 0);
  if (sum > mostTokens) return `Requested ${sum} tokens, max ${mostTokens} tokens per request.`;
  return undefined;
}

/** Words, hashed to places and signs (Weinberger et al. 2009), of length 1. Texts with the same words have the same vector. */
export function vectorOf(text: string, dimensions: number): number[] {
  const vector = new Array<number>(dimensions).fill(0);
  for (const word of text.toLowerCase().match(/[\p{L}\p{M}\p{N}]+|[^\s]/gu) ?? ["?"]) {
    const hash = fnv1a(word);
    const place = hash % dimensions;
    vector[place] = (vector[place] ?? 0) + (hash & 0x40000000 ? 1 : -1);
  }
  const norm = Math.hypot(...vector);
  // Words may cancel each other out; a vector of zeros would not be one of length 1.
  return norm === 0 ? vector.map((_, index) => (index === 0 ? 1 : 0)) : vector.map((value) => value / norm);
}

function fnv1a(text: string): number {
  let hash = 0x811c9dc5;
  for (let index = 0; index < text.length; index++)
    hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193);
  return hash >>> 0;
}
