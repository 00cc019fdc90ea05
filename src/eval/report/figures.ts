import type { Interval } from "../bootstrap.ts";
import { counted } from "../counted.ts";
import { leftOutSentence } from "../left-out.ts";
import type { QuestionRow } from "../rows.ts";
import { certain } from "../summary.ts";
import { isNothing, tenths } from "../tenths.ts";

/** "93.2" of 0.932. */
export function percent(value: number | undefined): string {
  return value === undefined ? "–" : tenths(value);
}

/**
 * "93.2 ± 1.4": per cent, with half the width of the 95 % interval. A few questions that all came out alike allow none: they
 * vary nowhere to draw it from, and "± 0.0" would be said of a single one.
 */
export function withInterval(interval: Interval | undefined): string {
  if (interval === undefined) return "–";
  if (interval.n < FEW && interval.low === interval.high) return percent(interval.mean);
  return `${percent(interval.mean)} ± ${((100 * (interval.high - interval.low)) / 2).toFixed(1)}`;
}

/** Under so many questions bootstrap intervals are too narrow. */
const FEW = 30;

/** "+1.2 (0.4 to 2.1)", with "≈" in front when the difference is not certain; "≈ 0" when there is none to see. */
export function signed(difference: Interval | undefined): string {
  if (difference === undefined) return "";
  if (isNothing(difference)) return "≈ 0";
  const [mean, low, high] = [difference.mean, difference.low, difference.high].map(tenths);
  const sign = difference.mean < 0 || mean === "0.0" ? "" : "+";
  const range = `${sign}${mean} (${low} to ${high})`;
  return certain(difference) === undefined ? `≈ ${range}` : range;
}

/** Milliseconds in as many digits as matter. */
export function milliseconds(value: number): string {
  return value < 10 ? value.toFixed(1) : value.toFixed(0);
}

/** Names files that cannot be read, in a sentence after another one; nothing when there are none. */
export function unread({ leftOut = [] }: { readonly leftOut?: readonly string[] }): string {
  return leftOut.length === 0 ? "" : ` ${leftOutSentence(leftOut)}`;
}

/** "24 questions, 4 of them without a gold passage, which these figures leave out". */
export function questionsAsked(questions: number, unscored: number): string {
  const all = counted(questions, "question");
  return unscored === 0
    ? all
    : `${all}, ${unscored} of them without a gold passage, which these figures leave out`;
}

/** How many rows have no gold passage. */
export function unscoredOf(rows: readonly Pick<QuestionRow, "places">[]): number {
  return rows.filter(({ places }) => places.length === 0).length;
}

/** US dollars; "–" when unknown. */
export function dollars(value: number | undefined): string {
  if (value === undefined) return "–";
  return value === 0 ? "$0" : `$${value < 1 ? value.toPrecision(2) : value.toFixed(2)}`;
}
