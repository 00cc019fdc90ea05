import type { Span } from "../../spec/index.ts";
import type { PassageUnit } from "./passage-units.ts";

/** Characters that are quoted together, at most; a first sentence that is longer stands alone. */
const MOST = 400;
/** A longer one is no heading, and a question that says much itself. */
const LONGEST_LEAD = 200;
const BLANK_LINE = /\n[^\S\n]*\n/;
const LIST_ITEM = /^[^\S\n]*(?:[-*+•‣◦–—]|\d{1,3}[.)]|[a-z][.)])\s/;

/** Something to quote, with what leads into it. */
export interface LedUnit extends PassageUnit {
  /** The heading or question right above, which is read with it and not quoted. */
  readonly lead?: Span;
}

/**
 * Units as answers are made of: a heading or a question answers nothing, but says what the paragraph or
 * list below it is about; that is quoted as one, and read with it. What ends with a colon is quoted with its list.
 *
 * `isHeading` tells a heading by its words.
 */
export function ledUnits(
  text: string,
  units: readonly PassageUnit[],
  isHeading: (words: string) => boolean,
): readonly LedUnit[] {
  const leads = units.map((_, i) => isLead(text, units, i, isHeading));
  return units.flatMap((unit, i): readonly LedUnit[] => {
    if (leads[i]) return leads.includes(false, i) ? [] : [unit];
    if (isOfTable(text, units, i)) return [unit];
    const whole = { ...unit, end: bodyEnd(text, units, leads, i) };
    if (!leads[i - 1]) return [endsWithColon(text, unit) ? whole : unit];
    // By itself, and with what leads into it: of what answers alike, the shorter one is first.
    return [endsWithColon(text, unit) ? whole : unit, { ...whole, lead: leadAbove(units, leads, i) }];
  });
}

function isLead(
  text: string,
  units: readonly PassageUnit[],
  i: number,
  isHeading: (words: string) => boolean,
): boolean {
  const unit = units[i];
  if (unit === undefined || isOfTable(text, units, i)) return false;
  const words = text.slice(unit.start, unit.end);
  if (words.length > LONGEST_LEAD) return false;
  return (
    isHeading(words) ||
    /[?？؟]\s*$/u.test(words) ||
    (endsWithColon(text, unit) && isOfTable(text, units, i + 1))
  );
}

/** A row, or the header above the first one. */
function isOfTable(text: string, units: readonly PassageUnit[], i: number): boolean {
  const [unit, next] = [units[i], units[i + 1]];
  if (unit === undefined || unit.header !== undefined) return unit !== undefined;
  return next?.header !== undefined && !BLANK_LINE.test(text.slice(unit.end, next.start));
}

/** All headings and questions right above, one below the other. */
function leadAbove(units: readonly PassageUnit[], leads: readonly boolean[], i: number): Span {
  const from = i === 0 ? 0 : leads.lastIndexOf(false, i - 1) + 1;
  return { start: units[from]?.start ?? 0, end: units[i - 1]?.end ?? 0 };
}

function endsWithColon(text: string, { start, end }: Span): boolean {
  return /[:：]\s*$/u.test(text.slice(start, end));
}

/** Where the paragraph or list ends that begins with a unit. */
function bodyEnd(
  text: string,
  units: readonly PassageUnit[],
  leads: readonly boolean[],
  from: number,
): number {
  const { start, end: first } = units[from] ?? { start: 0, end: 0 };
  let end = first;
  for (let i = from + 1; i < units.length && !leads[i] && !isOfTable(text, units, i); i++) {
    const next = units[i] ?? { start: end, end };
    if (next.end - start > MOST) break;
    if (BLANK_LINE.test(text.slice(end, next.start)) && !LIST_ITEM.test(text.slice(next.start, next.end)))
      break;
    end = next.end;
  }
  return end;
}
