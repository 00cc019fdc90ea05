export type OvertimeKind = "normal" | "long" | "holiday";

/** Factors by kind of overtime, as agreed with the works council. */
export type RateTable = Readonly<Partial<Record<OvertimeKind, number>>>;

/** What holds where a site has agreed on nothing else. */
export const DEFAULT_RATES: Readonly<Record<OvertimeKind, number>> = {
  normal: 1.25,
  long: 1.5,
  holiday: 2,
};

/** The site's factor, or the default one. A factor below 1 would pay overtime worse than regular time and is refused. */
export function rateFor(rates: RateTable, kind: OvertimeKind): number {
  const rate = rates[kind] ?? DEFAULT_RATES[kind];
  if (rate < 1) throw new RangeError(`The factor for ${kind} overtime is ${rate}; it must be at least 1.`);
  return rate;
}
