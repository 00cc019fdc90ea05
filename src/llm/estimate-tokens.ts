import { countTokens } from "../text/count-tokens.ts";

/**
 * How far `countTokens` errs upwards, by script: its count over that of o200k, measured on English (contracts, abstracts,
 * reports), Indonesian, source code, Chinese, Vietnamese and Thai. The other scripts are assumed to lie between.
 */
const EXCESS = { latin: 1.25, vietnamese: 1.61, han: 1.53, thai: 2.28, other: 1.5 } as const;

const HAN = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\u3000-\u303f\uff00-\uffef]+/gu;
const THAI = /\p{Script=Thai}+/gu;
const OTHER =
  /[\p{Script=Hangul}\p{Script=Cyrillic}\p{Script=Arabic}\p{Script=Hebrew}\p{Script=Devanagari}]+/gu;
/** Latin letters with two accents; Vietnamese has them in every other word. */
const TWO_ACCENTS = /[\u1ea0-\u1ef9]/g;

/** Longest text that is looked at as a whole; of a longer one a part stands for the rest. */
const SAMPLE = 200_000;

/** Tokens of a text as a price needs them: as near as can be, not on the safe side. */
export function estimateTokens(text: string): number {
  const all = countTokens(text);
  if (all === 0) return 0;
  const sample = text.slice(0, SAMPLE);
  const total = sample.length === text.length ? all : countTokens(sample);
  const han = costOf(sample, HAN);
  const thai = costOf(sample, THAI);
  const other = costOf(sample, OTHER);
  const latin = Math.max(0, total - han - thai - other);
  const accents = (sample.match(TWO_ACCENTS)?.length ?? 0) / sample.length;
  const tokens =
    han / EXCESS.han +
    thai / EXCESS.thai +
    other / EXCESS.other +
    latin / (accents > 0.02 ? EXCESS.vietnamese : EXCESS.latin);
  return Math.max(1, Math.round((tokens / total) * all));
}

function costOf(text: string, script: RegExp): number {
  const found = text.match(script);
  return found === null ? 0 : countTokens(found.join(""));
}
