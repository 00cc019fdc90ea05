import { attributeOf, element, elements, type XmlElement } from "./xml.ts";

/** Shows a number as the sheet does where that changes what it says: dates, times, percentages, currencies, units. Undefined: as it is. */
export type NumberFormat = (value: number) => string | undefined;

/** Formats by the index that cells name them with (ECMA-376, 18.8.30 gives the built-in ones). */
export function readNumberFormats(
  styles: XmlElement | undefined,
  from1904: boolean,
): readonly NumberFormat[] {
  const own = new Map(
    elements(element(styles, "numFmts"), "numFmt").map((each) => [
      Number(attributeOf(each, "numFmtId")),
      attributeOf(each, "formatCode") ?? "",
    ]),
  );
  return elements(element(styles, "cellXfs"), "xf").map((each) => {
    const id = Number(attributeOf(each, "numFmtId") ?? 0);
    return formatOf(own.get(id) ?? builtIn(id), from1904);
  });
}

function builtIn(id: number): string {
  if (id === 9 || id === 10) return "0%";
  if (id === 22) return "yyyy-mm-dd hh:mm";
  if ((id >= 18 && id <= 21) || (id >= 45 && id <= 47)) return "hh:mm:ss";
  return (id >= 14 && id <= 17) || (id >= 27 && id <= 36) || (id >= 50 && id <= 58) ? "yyyy-mm-dd" : "";
}

function formatOf(code: string, from1904: boolean): NumberFormat {
  // Quoted and escaped letters, colours and conditions are not part of the pattern.
  const pattern = code
    .replace(/"[^"]*"|\\.|_.|\*.|\[(?!h+\]|m+\]|s+\])[^\]]*\]/gi, "")
    .split(";")[0]
    ?.toLowerCase();
  if (pattern === undefined || pattern === "" || pattern === "general") return () => undefined;
  // Numbers of customers, parts and places begin with zeros.
  if (/^0{2,}$/.test(pattern))
    return (value) =>
      Number.isInteger(value) && value >= 0 ? String(value).padStart(pattern.length, "0") : undefined;
  if (pattern.includes("%")) return (value) => `${round(value * 100)}%`;
  const hasDate = /[yd]/.test(pattern) || /^m+$/.test(pattern);
  const hasTime = /[hs]/.test(pattern);
  if (hasDate || hasTime) return (value) => dateText(value, { hasDate, hasTime, from1904 });
  return withUnits(code, pattern);
}

/** What a format sets before and behind the number: currencies and units. */
function withUnits(code: string, pattern: string): NumberFormat {
  const [before, after] = literalsOf(code);
  if (before + after === "") return () => undefined;
  // Commas behind the last digit show thousands or millions.
  const commas = /[0#?](,*)[^0#?]*$/.exec(pattern)?.[1]?.length ?? 0;
  return (value) => {
    const number = String(Number((Math.abs(value) / 1000 ** commas).toPrecision(15)));
    return `${value < 0 ? "-" : ""}${before}${number}${after}`;
  };
}

function literalsOf(code: string): readonly [before: string, after: string] {
  let literals = "";
  let digits: { first: number; last: number } | undefined;
  for (const [part, currency, quoted, escaped] of code.matchAll(
    /\[\$([^\]-]*)[^\]]*\]|"([^"]*)"|\\(.)|[_*].|\[[^\]]*\]|./gsu,
  )) {
    if (part === ";") break;
    if (/^[0#?]$/.test(part)) {
      digits ??= { first: literals.length, last: 0 };
      digits.last = literals.length;
    } else literals += currency ?? quoted ?? escaped ?? (/^[\p{Sc} ]$/u.test(part) ? part : "");
  }
  if (digits === undefined) return ["", ""];
  const isUnit = /[\p{L}\p{Sc}]/u;
  const before = literals.slice(0, digits.first).trimStart();
  const after = literals.slice(digits.last).trimEnd();
  return [isUnit.test(before) ? before.replace(/\p{L}$/u, "$& ") : "", isUnit.test(after) ? after : ""];
}

function round(value: number): string {
  return String(Number(value.toFixed(4)));
}

interface Shown {
  readonly hasDate: boolean;
  readonly hasTime: boolean;
  readonly from1904: boolean;
}

const DAY_MS = 86_400_000;

/** Serial days as ISO 8601. Day 60 of the older count is 29 February 1900, which never was. */
function dateText(value: number, { hasDate, hasTime, from1904 }: Shown): string | undefined {
  if (value < 0 || value > 2_958_466) return undefined;
  const start = from1904 ? Date.UTC(1904, 0, 1) : Date.UTC(1899, 11, value < 60 ? 31 : 30);
  const iso = new Date(start + Math.round((value * DAY_MS) / 1000) * 1000).toISOString();
  const time = iso.slice(11, 19).replace(/:00$/, "");
  if (!hasDate) return value >= 1 ? `${round(value * 24)} h` : time;
  return hasTime ? `${iso.slice(0, 10)} ${time}` : iso.slice(0, 10);
}
