import { numbersInWords, type WrittenNumber } from "./facts-number-words.ts";

/** A number in a text, with the values it can stand for: "1,234" is 1234 or, in other countries, 1.234. */
export interface NumberFact {
  readonly text: string;
  readonly start: number;
  readonly end: number;
  readonly values: readonly string[];
}

const UNSPACED =
  "\\p{Script=Han}\\p{Script=Hiragana}\\p{Script=Katakana}\\p{Script=Thai}\\p{Script=Lao}\\p{Script=Khmer}\\p{Script=Myanmar}";
const WORD = `[[[\\p{L}\\p{M}]--[${UNSPACED}]][\\p{N}_]]`;
/** Digits that are no part of a name or code (SKU-4521, Q2); letters may follow as a unit does (5km, 1982年). */
const NUMBER = new RegExp(
  `(?<!${WORD}|${WORD}[\\-.,\\/])\\p{Nd}+(?:[.,'’\\u00a0\\u202f ]\\p{Nd}{3}(?!\\p{Nd}))*(?:[.,]\\p{Nd}+)?`,
  "gv",
);

/** Codes of currencies that are written in front of a figure without a space. */
const CURRENCY =
  /(?<![\p{L}\p{N}])(USD|US\$|EUR|GBP|RMB|CNY|JPY|IDR|Rp\.?|VND|THB|SGD|S\$|MYR|RM|AUD|A\$|CAD|HKD|HK\$|CHF|INR|KRW)(?=\p{Nd})/gu;

/** `RMB59,659` as `RMB 59,659`: a currency and a number, not a code. */
export function currencyApart(text: string): string {
  return text.replace(CURRENCY, "$1 ");
}

/** Numbers written in digits, and with `words` those written out as well. */
export function numbersOf(
  text: string,
  { words = false }: { readonly words?: boolean } = {},
): readonly NumberFact[] {
  const found = [...text.matchAll(NUMBER)].map(({ 0: written, index }): NumberFact => {
    const end = index + written.length;
    const plain = readings(written);
    return { text: written, start: index, end, values: [...plain, ...scaled(plain, text.slice(end))] };
  });
  return words ? [...found, ...numbersInWords(text).map(withValues)] : found;
}

function readings(written: string): readonly string[] {
  const plain = asciiDigits(written).replace(/['’\s\u00a0\u202f]/g, "");
  const separators = plain.match(/[.,]/g) ?? [];
  const last = Math.max(plain.lastIndexOf("."), plain.lastIndexOf(","));
  const whole = canonical(plain.replace(/[.,]/g, ""));
  if (separators.length === 0) return [whole];
  const decimal = canonical(`${plain.slice(0, last).replace(/[.,]/g, "")}.${plain.slice(last + 1)}`);
  if (separators.length > 1) return new Set(separators).size > 1 ? [decimal] : [whole];
  const groups = /^[1-9]\d{0,2}[.,]\d{3}$/.test(plain);
  return groups ? [whole, decimal] : [decimal];
}

/** 007 is 7 and 3.50 is 3.5. */
function canonical(digits: string): string {
  const [whole = "", fraction = ""] = digits.split(".");
  const end = fraction.replace(/0+$/, "");
  const begin = whole.replace(/^0+(?=\d)/, "") || "0";
  return end === "" ? begin : `${begin}.${end}`;
}

/** Digits of every script stand in runs of ten from their zero. */
function asciiDigits(text: string): string {
  return text.replace(/\p{Nd}/gu, (digit) => {
    const code = digit.codePointAt(0) ?? 0;
    let zero = code;
    while (/\p{Nd}/u.test(String.fromCodePoint(zero - 1)) && code - zero < 9) zero--;
    return String((code - zero) % 10);
  });
}

const SCALES: readonly (readonly [pattern: RegExp, factor: number])[] = [
  [/^\s*(?:thousand|ribu|tausend|tsd\.?|nghìn|ngàn|mil\b|mille|千)/iu, 1e3],
  [/^\s*(?:万|萬)/u, 1e4],
  [/^\s*(?:millions?|juta|mio\.?|millionen|triệu|millones|millón|mn\b|m\b(?=\s|$))/iu, 1e6],
  [/^\s*(?:亿|億)/u, 1e8],
  [/^\s*(?:billions?|miliar|milyar|mrd\.?|milliarden?|tỷ|tỉ|bn\b)/iu, 1e9],
];

function scaled(values: readonly string[], after: string): readonly string[] {
  const scale = SCALES.find(([pattern]) => pattern.test(after))?.[1];
  return scale === undefined ? [] : values.map((value) => String(Math.round(Number(value) * scale)));
}

function withValues({ value, ...place }: WrittenNumber): NumberFact {
  return { ...place, values: [String(value)] };
}
