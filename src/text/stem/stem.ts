import { createRequire } from "node:module";
import { stemArabic } from "./arabic.ts";
import { stemEnglish } from "./english.ts";
import { stemHebrew } from "./hebrew.ts";
import { stemIndonesian } from "./indonesian.ts";
import { stemKorean } from "./korean.ts";

/** A case-folded word in NFC → its stem. */
export type Stemmer = (word: string) => string;

/** Snowball algorithms of `@orama/stemmers` by BCP 47 primary tag. */
const SNOWBALL: Readonly<Record<string, string>> = {
  bg: "bulgarian",
  da: "danish",
  de: "german",
  el: "greek",
  es: "spanish",
  fi: "finnish",
  fr: "french",
  ga: "irish",
  hi: "indian",
  hu: "hungarian",
  hy: "armenian",
  id: "indonesian",
  it: "italian",
  lt: "lithuanian",
  ms: "indonesian",
  nb: "norwegian",
  ne: "nepali",
  nl: "dutch",
  nn: "norwegian",
  no: "norwegian",
  pt: "portuguese",
  ro: "romanian",
  ru: "russian",
  sa: "sanskrit",
  sr: "serbian",
  sv: "swedish",
  ta: "tamil",
  tr: "turkish",
  uk: "ukrainian",
};

/** Languages whose words do not change form, or that are matched by pieces: without a stemmer nothing is missing. */
const UNINFLECTED: ReadonlySet<string> = new Set("vi zh ja th lo km my".split(" "));

const loaded = new Map<string, Stemmer | undefined>();
const load = createRequire(import.meta.url);

/** The stemmer of a language, loaded on first use; undefined where there is none. */
export function stemmerOf(language: string): Stemmer | undefined {
  if (!loaded.has(language)) loaded.set(language, make(language));
  return loaded.get(language);
}

/** Whether inflected forms of the language's words are left apart for want of a stemmer. */
export function lacksStemmer(language: string): boolean {
  return !UNINFLECTED.has(language) && stemmerOf(language) === undefined;
}

/** Own ones, where the packaged ones leave forms of a word apart, or there is none. */
const OWN: Readonly<Record<string, Stemmer>> = {
  ar: stemArabic,
  en: stemEnglish,
  he: stemHebrew,
  ko: stemKorean,
};

function make(language: string): Stemmer | undefined {
  const own = OWN[language];
  if (own !== undefined) return own;
  const name = SNOWBALL[language];
  if (name === undefined) return undefined;
  const { stemmer } = load(`@orama/stemmers/${name}`) as { readonly stemmer: Stemmer };
  return name === "indonesian" ? (word) => stemIndonesian(word, stemmer) : stemmer;
}
