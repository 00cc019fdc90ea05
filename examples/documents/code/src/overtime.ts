import { isHoliday } from "./holidays.ts";
import { rateFor, type RateTable } from "./rates.ts";
import { type TimeEntry, workedMinutes } from "./time-entry.ts";

export interface OvertimeDay {
  readonly date: string;
  readonly regularMinutes: number;
  readonly overtimeMinutes: number;
  /** 1.5 means that a minute of overtime is paid like one and a half. */
  readonly factor: number;
}

const REGULAR_MINUTES_A_DAY = 8 * 60;

/**
 * Splits a day's work into regular minutes and overtime. On Sundays and holidays every minute is overtime. Fewer than
 * fifteen minutes above the regular time are not paid; they are seen as changing clothes.
 */
export function computeOvertime(entries: readonly TimeEntry[], date: string, rates: RateTable): OvertimeDay {
  const total = entries
    .filter((entry) => entry.date === date)
    .reduce((sum, entry) => sum + workedMinutes(entry), 0);
  if (isHoliday(date) || isSunday(date)) {
    return { date, regularMinutes: 0, overtimeMinutes: total, factor: rateFor(rates, "holiday") };
  }
  const above = total - REGULAR_MINUTES_A_DAY;
  const overtimeMinutes = above < 15 ? 0 : above;
  return {
    date,
    regularMinutes: Math.min(total, REGULAR_MINUTES_A_DAY),
    overtimeMinutes,
    factor: rateFor(rates, overtimeMinutes > 120 ? "long" : "normal"),
  };
}

function isSunday(date: string): boolean {
  return new Date(`${date}T00:00:00Z`).getUTCDay() === 0;
}
