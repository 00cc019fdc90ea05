import type { Span } from "../spec/index.ts";
import { countTokens, TOKEN_SCALE, tokenCost } from "../text/count-tokens.ts";

/** How much of a window the next one repeats, so that no sentence is cut in all of them. */
const overlap = 0.1;

/**
 * A text in windows of at most `maxTokens` by `countTokens`, cut at white space where there is any in the second half,
 * each beginning with the last tenth of the one before. A text that fits is its only window.
 */
export function windowsOf(text: string, maxTokens: number | undefined): readonly string[] {
  return windowSpans(text, maxTokens).map(({ start, end }) => text.slice(start, end));
}

/** Blank windows are left out. */
export function windowSpans(text: string, maxTokens: number | undefined): readonly Span[] {
  if (maxTokens === undefined || countTokens(text) <= maxTokens) return [{ start: 0, end: text.length }];
  const windows: Span[] = [];
  for (let start = 0; start < text.length; ) {
    const limit = furthestEnd(text, start, maxTokens);
    const end = limit === text.length ? limit : cutBefore(text, start, limit);
    windows.push({ start, end });
    start = end === text.length ? end : nextStart(text, start, end, maxTokens);
  }
  return windows.filter(({ start, end }) => text.slice(start, end).trim() !== "");
}

/** The largest end within the limit, at least one character on. */
function furthestEnd(text: string, start: number, maxTokens: number): number {
  let low = start + 1;
  let high = text.length;
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if (tokenCost(text, { start, end: middle }) <= maxTokens * TOKEN_SCALE) low = middle;
    else high = middle - 1;
  }
  return low === start + 1 ? wholeCharacter(text, low, 1) : wholeCharacter(text, low, -1);
}

function cutBefore(text: string, start: number, limit: number): number {
  for (let at = limit; at > start + (limit - start) / 2; at--) if (isBlank(text[at - 1])) return at;
  return limit;
}

function nextStart(text: string, start: number, end: number, maxTokens: number): number {
  const budget = Math.floor(maxTokens * overlap) * TOKEN_SCALE;
  let at = end;
  while (at > start + 1 && tokenCost(text, { start: at - 1, end }) <= budget) at -= 1;
  for (let word = at; word < end; word++) if (isBlank(text[word - 1])) return Math.max(word, start + 1);
  return wholeCharacter(text, at, 1);
}

/** Moves off the middle of a surrogate pair. */
function wholeCharacter(text: string, at: number, step: 1 | -1): number {
  const code = text.charCodeAt(at);
  return code >= 0xdc00 && code <= 0xdfff ? at + step : at;
}

function isBlank(character: string | undefined): boolean {
  return character !== undefined && /\s/.test(character);
}
