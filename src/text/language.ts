import { createRequire } from "node:module";
import { STOP_WORD_LANGUAGES, stopWords } from "./stop-words.ts";

const SAMPLE = 2_400;
const WINDOWS = 6;

/** Scripts that (nearly) name their language, with the tag. */
const SCRIPTS: readonly (readonly [pattern: RegExp, language: string])[] = [
  [/[\u3040-\u30ff]/gu, "ja"],
  [/\p{Script=Han}/gu, "zh"],
  [/\p{Script=Hangul}/gu, "ko"],
  [/\p{Script=Thai}/gu, "th"],
  [/\p{Script=Arabic}/gu, "ar"],
  [/\p{Script=Hebrew}/gu, "he"],
  [/\p{Script=Devanagari}/gu, "hi"],
  [/\p{Script=Cyrillic}/gu, "ru"],
  [/\p{Script=Greek}/gu, "el"],
  [/\p{Script=Lao}/gu, "lo"],
  [/\p{Script=Khmer}/gu, "km"],
  [/\p{Script=Myanmar}/gu, "my"],
  [/\p{Script=Tamil}/gu, "ta"],
  [/\p{Script=Telugu}/gu, "te"],
  [/\p{Script=Bengali}/gu, "bn"],
  [/\p{Script=Gujarati}/gu, "gu"],
  [/\p{Script=Gurmukhi}/gu, "pa"],
  [/\p{Script=Kannada}/gu, "kn"],
  [/\p{Script=Malayalam}/gu, "ml"],
  [/\p{Script=Sinhala}/gu, "si"],
  [/\p{Script=Georgian}/gu, "ka"],
  [/\p{Script=Armenian}/gu, "hy"],
  [/\p{Script=Ethiopic}/gu, "am"],
  [/\p{Script=Latin}/gu, "latin"],
];

/** Letters of one script count for more or less words; a Han character says as much as two or three Latin letters. */
const WORTH: Readonly<Record<string, number>> = { zh: 2.5, ja: 2.5, ko: 2 };

/**
 * The language of a text as a BCP 47 primary tag ("en", "id", "zh"), or undefined when unsure. Looks at about 2,400
 * characters from six places of the text, lines of code left out. The script decides first; within the Latin and
 * Cyrillic scripts the share of function words decides (the method of Grefenstette 1995, "Comparing two language
 * identification schemes"), and character n-grams (tinyld) where it is undecided.
 */
export function detectLanguage(text: string): string | undefined {
  const sample = prose(sampled(text)).normalize("NFC").toLowerCase();
  const script = dominantScript(sample);
  if (script === undefined) return undefined;
  if (script === "latin" || script === "ru") return byFunctionWords(sample) ?? byLetters(sample, script);
  return refined(script, sample);
}

function sampled(text: string): string {
  if (text.length <= SAMPLE) return text;
  const size = SAMPLE / WINDOWS;
  const step = (text.length - size) / (WINDOWS - 1);
  const parts: string[] = [];
  for (let i = 0; i < WINDOWS; i++) parts.push(text.slice(Math.floor(i * step), Math.floor(i * step) + size));
  return parts.join("\n");
}

/** Lines that read like prose; all of them when there is no such line. */
function prose(text: string): string {
  const plain = text.replace(/https?:\/\/\S+|`[^`\n]*`|<[^>\n]*>/gu, " ");
  const lines = plain.split("\n").filter((line) => !looksLikeCode(line));
  return lines.length === 0 ? plain : lines.join("\n");
}

function looksLikeCode(line: string): boolean {
  const symbols = line.match(/[{}();=<>[\]|\\$_]/gu)?.length ?? 0;
  return symbols > 2 && symbols > line.length / 25;
}

function dominantScript(sample: string): string | undefined {
  const counts = new Map<string, number>();
  let total = 0;
  for (const [pattern, language] of SCRIPTS) {
    const count = (sample.match(pattern)?.length ?? 0) * (WORTH[language] ?? 1);
    counts.set(language, count);
    total += count;
  }
  if (total === 0) return undefined;
  const kana = counts.get("ja") ?? 0;
  const han = counts.get("zh") ?? 0;
  if (kana + han > total / 3) return kana > han / 10 ? "ja" : "zh";
  const [language, most] = [...counts].reduce((best, entry) => (entry[1] > best[1] ? entry : best));
  // Text in another script usually carries Latin names and terms, hardly ever the other way.
  const other = [...counts].find(([name, count]) => name !== "latin" && count > total / 3);
  if (other !== undefined) return other[0];
  return most > total / 2 ? language : undefined;
}

/** Languages so near to each other that most of their function words are the same; the first is taken when nothing tells. */
const SIBLINGS: readonly (readonly string[])[] = [
  ["id", "ms"],
  ["no", "da"],
];

/** Letters beside digits or low lines are codes, hashes and units. */
const PLAIN_WORDS = /(?<![\p{L}\p{M}\p{N}_])[\p{L}\p{M}]+(?![\p{L}\p{M}\p{N}_])/gu;

function byFunctionWords(sample: string): string | undefined {
  const words = sample.match(PLAIN_WORDS) ?? [];
  const hits = new Map(STOP_WORD_LANGUAGES.map((language) => [language, shareOf(words, language)]));
  const ranked = [...hits].sort((x, y) => y[1] - x[1]);
  const best = ranked[0];
  if (best === undefined || best[1] < 2 || best[1] < words.length * 0.1) return undefined;
  // A sentence has two different ones, a paragraph three.
  if (functionWordsIn(words, best[0]) < (words.length > 25 ? 3 : 2)) return undefined;
  const family = SIBLINGS.find((siblings) => siblings.includes(best[0])) ?? [best[0]];
  const rival = ranked.find(([language]) => !family.includes(language));
  if (rival !== undefined && rival[1] > best[1] * 0.85) return undefined;
  return family.find((language) => hits.get(language) === best[1]);
}

/** Different function words of two letters or more: single letters stand in tables, codes and hashes too. */
function functionWordsIn(words: readonly string[], language: string): number {
  const list = stopWords(language);
  return new Set(words.filter((word) => word.length > 1 && list.has(word))).size;
}

/** How many words are function words of the language; single letters count half, since symbols look like them. */
function shareOf(words: readonly string[], language: string): number {
  const list = stopWords(language);
  let hits = 0;
  for (const word of words) if (list.has(word)) hits += word.length === 1 ? 0.5 : 1;
  return hits;
}

/** What tinyld is believed on; its answers for rare languages are mostly names and fragments. */
const CYRILLIC: ReadonlySet<string> = new Set("ru uk be bg sr mk kk mn".split(" "));
const LATIN: ReadonlySet<string> = new Set([
  ..."en id ms vi de fr es pt it nl sv da no fi hu ro tr pl cs ca tl sk hr sl et lv lt is sq af eu gl".split(
    " ",
  ),
]);

type Detector = { detectAll(text: string): { readonly lang: string; readonly accuracy: number }[] };
let detector: Detector | undefined;

/**
 * tinyld on what function words leave open (languages without a list, short text). Loaded on first use: it weighs 0.6 MB.
 * A language with a list of function words must show one of them; of one without, more has to be seen, since names,
 * codes and columns of figures look like some rare language always.
 */
function byLetters(sample: string, script: string): string | undefined {
  const words = sample.match(PLAIN_WORDS) ?? [];
  const letters = words.join("").length;
  if (letters < 40) return undefined;
  detector ??= createRequire(import.meta.url)("tinyld") as Detector;
  const [first, second] = detector.detectAll(sample);
  if (first === undefined || first.accuracy < 0.15) return undefined;
  if (second !== undefined && second.accuracy > first.accuracy * 0.7) return undefined;
  const { lang } = first;
  if (!(script === "ru" ? CYRILLIC : LATIN).has(lang)) return undefined;
  const listed = STOP_WORD_LANGUAGES.includes(lang);
  if (listed) return functionWordsIn(words, lang) > 0 ? lang : undefined;
  return letters >= 80 && first.accuracy >= 0.25 ? lang : undefined;
}

/** Languages that share a script other than Latin and Cyrillic, told apart by letters or words of their own. */
function refined(script: string, sample: string): string {
  if (script === "ar") {
    if (/[ٹڈڑےں]/u.test(sample)) return "ur";
    const persian = sample.match(/[پچژگ]/gu)?.length ?? 0;
    if (persian * 100 > sample.length) return "fa";
  }
  if (script === "hi") {
    const words = sample.match(/[\p{L}\p{M}]+/gu) ?? [];
    const count = (list: string) => words.filter((word) => list.split(" ").includes(word)).length;
    const hindi = count("है हैं के का की में से को और था");
    const nepali = count("छ छन् र हो थियो भएको गरेको यो पनि");
    const marathi = count("आहे आहेत आणि होते होता या ते व");
    if (nepali > hindi && nepali > marathi) return "ne";
    if (marathi > hindi) return "mr";
  }
  return script;
}
