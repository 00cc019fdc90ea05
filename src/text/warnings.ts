import { lacksStemmer } from "./stem/stem.ts";

/** UTF-8 that was read as Windows-1252 or Latin-1: `Ã©`, `â€™`, `Ä‘`, `á»‡`. */
const MOJIBAKE =
  /[\u00c2-\u00c6\u00d0\u00d1][\u0080-\u00bf\u2018-\u201e\u2020-\u2022\u2026\u2030\u20ac]|\u00e2\u20ac|\u00e1\u00ba|\u00e1\u00bb|\ufffd/gu;
const SAMPLE = 20_000;

/** What a person should know about how a text will be found: wrongly decoded, or in a language without a stemmer. */
export function textWarnings(text: string, language: string | undefined): readonly string[] {
  // The language of broken text is not to be trusted either.
  if (isBroken(text.slice(0, SAMPLE))) {
    return ["The text looks wrongly decoded. Save the file as UTF-8 and ingest it again."];
  }
  if (language === undefined || !lacksStemmer(language)) return [];
  return [`There is no stemmer for "${language}": words are found in the form they are written in.`];
}

function isBroken(sample: string): boolean {
  const broken = sample.match(MOJIBAKE)?.length ?? 0;
  return broken > 2 && broken * 200 > sample.length;
}
