/** One stay at work, from clocking in to clocking out. Times are minutes since midnight in the time zone of the site. */
export interface TimeEntry {
  readonly employeeId: string;
  /** ISO date of the day on which the stay began. */
  readonly date: string;
  readonly start: number;
  /** Larger than 1440 when the stay runs past midnight. */
  readonly end: number;
  readonly breakMinutes: number;
}

export class InvalidTimeEntry extends Error {
  readonly entry: TimeEntry;

  constructor(entry: TimeEntry, reason: string) {
    super(`Time entry of ${entry.employeeId} on ${entry.date}: ${reason}`);
    this.name = "InvalidTimeEntry";
    this.entry = entry;
  }
}

/** Minutes that count as work. A stay of more than six hours has at least thirty minutes of break, taken or not. */
export function workedMinutes(entry: TimeEntry): number {
  const stay = entry.end - entry.start;
  if (stay <= 0) throw new InvalidTimeEntry(entry, "it ends before it begins");
  if (stay > 16 * 60) throw new InvalidTimeEntry(entry, "it is longer than sixteen hours");
  const legalBreak = stay > 6 * 60 ? 30 : 0;
  return stay - Math.max(entry.breakMinutes, legalBreak);
}
