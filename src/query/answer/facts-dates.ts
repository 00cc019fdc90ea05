/** A day, month or month and day in a text; what it does not say is undefined. */
export interface DateFact {
  readonly text: string;
  readonly start: number;
  readonly end: number;
  /** Readings: 3/4/2023 is the third of April or the fourth of March. */
  readonly readings: readonly DateParts[];
}

export interface DateParts {
  readonly year?: number | undefined;
  readonly month: number;
  readonly day?: number | undefined;
}

const MONTH_LANGUAGES = ["en", "id", "de", "fr", "es", "it", "pt", "nl"];

/** Names of the months in the languages that write them with letters, with the number of the month. */
const months: ReadonlyMap<string, number> = new Map([
  ...MONTH_LANGUAGES.flatMap((language) => {
    const format = new Intl.DateTimeFormat(language, { month: "long", timeZone: "UTC" });
    return Array.from({ length: 12 }, (_, month) => {
      return [format.format(Date.UTC(2023, month, 15)).toLowerCase(), month + 1] as const;
    });
  }),
  ..."jan feb mar apr may jun jul aug sep oct nov dec".split(" ").map((name, i) => [name, i + 1] as const),
  ["sept", 9] as const,
]);

const NAME = `(?<name>${[...months.keys()].sort((a, b) => b.length - a.length).join("|")})`;
const DAY = "(?<day>\\d{1,2})(?:st|nd|rd|th|\\.|º)?";
const YEAR = "(?<year>(?:1[0-9]|20|21)\\d{2})";
const EDGE = "(?![\\p{L}\\p{N}])";
const START = "(?<![\\p{L}\\p{N}]|\\d[.,])";

const patterns: readonly RegExp[] = [
  `${START}${YEAR}[-/](?<month>\\d{1,2})[-/](?<day>\\d{1,2})${EDGE}`,
  `${START}(?<a>\\d{1,2})[-./](?<b>\\d{1,2})[-./]${YEAR}${EDGE}`,
  `${YEAR}\\s*年\\s*(?<month>\\d{1,2})\\s*月(?:\\s*(?<day>\\d{1,2})\\s*日)?`,
  `(?<month>\\d{1,2})\\s*月\\s*(?<day>\\d{1,2})\\s*日`,
  `ngày\\s+(?<day>\\d{1,2})\\s+tháng\\s+(?<month>\\d{1,2})(?:\\s+năm\\s+${YEAR})?${EDGE}`,
  `tháng\\s+(?<month>\\d{1,2})(?:\\s+năm\\s+${YEAR})?${EDGE}`,
  `${START}${DAY}\\s+(?:de\\s+|of\\s+)?${NAME}\\.?(?:,?\\s+(?:de\\s+)?${YEAR})?${EDGE}`,
  `${START}${NAME}\\.?\\s+${DAY}(?:,?\\s+${YEAR})?${EDGE}`,
  `${START}${NAME}\\.?,?\\s+(?:de\\s+)?${YEAR}${EDGE}`,
  `${START}${NAME}${EDGE}`,
].map((source) => new RegExp(source, "giu"));

export function datesOf(text: string): readonly DateFact[] {
  const found: DateFact[] = [];
  for (const pattern of patterns) {
    for (const { 0: written, index, groups = {} } of text.matchAll(pattern)) {
      const span = { start: index, end: index + written.length };
      const readings = readingsOf(groups);
      const alone = Object.keys(groups).length === 1 && groups.name !== undefined;
      // "may" and "mars" are words; a month that stands by itself is taken for one when it is written as a name.
      if (readings.length === 0 || (alone && !/^\p{Lu}\p{Ll}{2,}/u.test(written))) continue;
      if (!found.some(({ start, end }) => start < span.end && span.start < end))
        found.push({ text: written, ...span, readings });
    }
  }
  return found;
}

function readingsOf(groups: Readonly<Record<string, string | undefined>>): readonly DateParts[] {
  const number = (name: string) => (groups[name] === undefined ? undefined : Number(groups[name]));
  const year = number("year");
  const [a, b] = [number("a"), number("b")];
  const pairs =
    a !== undefined && b !== undefined
      ? [
          { month: b, day: a },
          { month: a, day: b },
        ]
      : [
          {
            month: months.get((groups.name ?? "").toLowerCase()) ?? number("month") ?? 0,
            day: number("day"),
          },
        ];
  return pairs
    .filter(({ month, day = 1 }) => month >= 1 && month <= 12 && day >= 1 && day <= 31)
    .map((pair) => ({ ...pair, year }));
}

/** Whether the known date says all that the wanted one says. */
export function saysDate(known: DateParts, wanted: DateParts): boolean {
  return (
    known.month === wanted.month &&
    (wanted.day === undefined || wanted.day === known.day) &&
    (wanted.year === undefined || wanted.year === known.year)
  );
}
