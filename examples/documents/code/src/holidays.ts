/** Days that fall on the same date every year. Keys are month and day. */
const FIXED_HOLIDAYS: Readonly<Record<string, string>> = {
  "01-01": "New Year's Day",
  "05-01": "Labour Day",
  "12-25": "Christmas Day",
  "12-26": "Boxing Day",
};

/** Easter Sunday by the method of Meeus, Jones and Butcher; valid for every year of the Gregorian calendar. */
export function easterSunday(year: number): Date {
  const a = year % 19;
  const b = Math.floor(year / 100);
  const c = year % 100;
  const d = Math.floor(b / 4);
  const e = b % 4;
  const f = Math.floor((b + 8) / 25);
  const g = Math.floor((b - f + 1) / 3);
  const h = (19 * a + b - d - g + 15) % 30;
  const i = Math.floor(c / 4);
  const k = c % 4;
  const l = (32 + 2 * e + 2 * i - h - k) % 7;
  const m = Math.floor((a + 11 * h + 22 * l) / 451);
  const month = Math.floor((h + l - 7 * m + 114) / 31);
  const day = ((h + l - 7 * m + 114) % 31) + 1;
  return new Date(Date.UTC(year, month - 1, day));
}

export function isHoliday(date: string): boolean {
  if (date.slice(5) in FIXED_HOLIDAYS) return true;
  const easter = easterSunday(Number(date.slice(0, 4)));
  const easterMonday = new Date(easter.getTime() + 86_400_000).toISOString().slice(0, 10);
  return date === easterMonday;
}
