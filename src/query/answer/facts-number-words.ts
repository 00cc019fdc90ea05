/** A number that is written out in words. */
export interface WrittenNumber {
  readonly text: string;
  readonly start: number;
  readonly end: number;
  readonly value: number;
}

const UNITS: ReadonlyMap<string, number> = new Map(
  [
    "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen",
    "nol satu dua tiga empat lima enam tujuh delapan sembilan sepuluh sebelas",
    "null eins zwei drei vier fünf sechs sieben acht neun zehn elf zwölf",
    "_ first second third fourth fifth sixth seventh eighth ninth tenth",
    "_ pertama kedua ketiga keempat kelima keenam ketujuh kedelapan kesembilan kesepuluh",
  ].flatMap((list) => list.split(" ").map((word, value) => [word, value] as const)),
);
/** Read only beside a word for ten or more: by itself "năm" is a year, "ba" a father. */
const BOUND_UNITS: ReadonlyMap<string, number> = new Map([
  ..."_ một hai ba bốn năm sáu bảy tám chín mười".split(" ").map((word, value) => [word, value] as const),
  ...([
    ["mốt", 1],
    ["tư", 4],
    ["lăm", 5],
    ["bẩy", 7],
    ["lapan", 8],
  ] as const),
]);
const TENS: ReadonlyMap<string, number> = new Map(
  [
    "twenty thirty forty fifty sixty seventy eighty ninety",
    "zwanzig dreißig vierzig fünfzig sechzig siebzig achtzig neunzig",
  ].flatMap((list) => list.split(" ").map((word, i) => [word, 20 + 10 * i] as const)),
);
const SCALES: ReadonlyMap<string, number> = new Map([
  ...(["puluh", "mươi"] as const).map((word) => [word, 10] as const),
  ...(["hundred", "ratus", "trăm"] as const).map((word) => [word, 100] as const),
  ...(["thousand", "ribu", "nghìn", "ngàn"] as const).map((word) => [word, 1_000] as const),
]);
const WHOLE: ReadonlyMap<string, number> = new Map([
  ["seratus", 100],
  ["seribu", 1_000],
]);
const BETWEEN = new Set(["and", "lẻ", "linh"]);

/** Numbers in words: English, Indonesian, Malay, Vietnamese and German up to the thousands, Chinese and Japanese numerals. */
export function numbersInWords(text: string): readonly WrittenNumber[] {
  return [...latinRuns(text), ...hanRuns(text)];
}

interface Word {
  readonly text: string;
  readonly start: number;
  readonly end: number;
}

/** Number words that follow one another are read together. */
function latinRuns(text: string): readonly WrittenNumber[] {
  const words = [...text.matchAll(/[\p{Script=Latin}\p{M}]+/gu)].map(
    ({ 0: word, index }): Word => ({
      text: word.normalize("NFC").toLowerCase(),
      start: index,
      end: index + word.length,
    }),
  );
  const found: WrittenNumber[] = [];
  for (let i = 0; i < words.length; ) {
    const { used, value } = readRun(words.slice(i, i + LONGEST), text);
    const [start, end] = [words[i]?.start ?? 0, words[i + used - 1]?.end ?? 0];
    if (value !== undefined) found.push({ text: text.slice(start, end), start, end, value });
    i += Math.max(1, used);
  }
  return found;
}

const LONGEST = 10;

/** `sum`: thousands that are closed; `group`: below a thousand; `digit`: may still become tens or hundreds. */
interface Reading {
  sum: number;
  group: number;
  digit: number | undefined;
  /** Nothing but a word that is a number only beside others. */
  bound: boolean;
}

function readRun(words: readonly Word[], text: string) {
  const reading: Reading = { sum: 0, group: 0, digit: undefined, bound: true };
  let used = 0;
  for (const [i, word] of words.entries()) {
    const before = words[i - 1];
    if (before && !/^(?:\s|-)$/u.test(text.slice(before.end, word.start))) break;
    if (BETWEEN.has(word.text) && used > 0 && isRound(reading)) continue;
    if (!take(reading, word.text, before?.text)) break;
    used = i + 1;
  }
  const { sum, group, digit = 0, bound } = reading;
  return { used, value: used === 0 || bound ? undefined : sum + group + digit };
}

/** Hundreds or thousands, and nothing behind them yet. */
function isRound({ group, digit }: Reading): boolean {
  return digit === undefined && group % 100 === 0;
}

/** Whether the word goes on with the number. */
function take(reading: Reading, word: string, before: string | undefined): boolean {
  const scale = SCALES.get(word);
  if (scale !== undefined) return multiply(reading, scale);
  if (word === "belas") return reading.digit !== undefined && add(reading, 10);
  const whole = WHOLE.get(word);
  if (whole !== undefined) return isRound(reading) && add(reading, whole);
  const tens = TENS.get(word) ?? germanTens(word);
  if (tens !== undefined) return isRound(reading) && add(reading, tens);
  const unit = UNITS.get(word);
  if (unit !== undefined) return setDigit(reading, unit, false);
  const bound = BOUND_UNITS.get(word);
  // "Ba mươi năm" is thirty years; thirty-five is "ba mươi lăm".
  if (bound === undefined || (word === "năm" && (before === "mươi" || before === "mười"))) return false;
  return setDigit(reading, bound, true);
}

/** "Mười lăm" is fifteen; "ten five" are two numbers. */
function setDigit(reading: Reading, unit: number, isBound: boolean): boolean {
  if (unit >= 10) return isRound(reading) && add(reading, unit);
  const rest = reading.group % 100;
  const fits = rest === 0 || (rest >= (isBound ? 10 : 20) && rest % 10 === 0);
  if (reading.digit !== undefined || !fits) return false;
  reading.digit = unit;
  reading.bound = isBound && reading.bound;
  return true;
}

function add(reading: Reading, value: number): boolean {
  reading.group += value + (reading.digit ?? 0);
  reading.digit = undefined;
  reading.bound = false;
  return true;
}

function multiply(reading: Reading, scale: number): boolean {
  const { digit, group } = reading;
  if (digit === undefined && (group === 0 || (scale < 1_000 && group >= 100))) return false;
  if (scale === 1_000) {
    reading.sum += (group + (digit ?? 0)) * scale;
    reading.group = 0;
  } else reading.group = digit === undefined ? group * scale : group + digit * scale;
  reading.digit = undefined;
  reading.bound = false;
  return true;
}

/** "fünfundneunzig". */
function germanTens(word: string): number | undefined {
  const [ones = "", tens = ""] = word.split("und");
  const [unit, ten] = [UNITS.get(ones === "ein" ? "eins" : ones), TENS.get(tens)];
  return unit === undefined || ten === undefined ? undefined : ten + unit;
}

const HAN_DIGITS = "零一二三四五六七八九";
const HAN_UNITS: Readonly<Record<string, number>> = { 十: 10, 百: 100, 千: 1_000 };

function hanRuns(text: string): readonly WrittenNumber[] {
  return [...text.matchAll(/[〇零一二三四五六七八九十百千两]+/g)].map(({ 0: word, index }) => ({
    text: word,
    start: index,
    end: index + word.length,
    value: hanValue(word),
  }));
}

/** 一九八二 is read digit by digit, 二十五 by its units. */
function hanValue(word: string): number {
  const signs = [...word.replaceAll("〇", "零").replaceAll("两", "二")];
  if (signs.every((sign) => HAN_DIGITS.includes(sign)))
    return Number(signs.map((sign) => HAN_DIGITS.indexOf(sign)).join(""));
  let sum = 0;
  let digit = 0;
  for (const sign of signs) {
    const unit = HAN_UNITS[sign];
    if (unit === undefined) digit = HAN_DIGITS.indexOf(sign);
    else {
      sum += (digit || 1) * unit;
      digit = 0;
    }
  }
  return sum + digit;
}
