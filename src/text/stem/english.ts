import { regularEnglish } from "./irregular.ts";

/**
 * Porter2, the English stemmer of Snowball (https://snowballstem.org/algorithms/english/stemmer.html), for case-folded
 * words of ASCII letters. Own code because the packaged one strips too much ("connection" and "connect" do not meet).
 */
export function stemEnglish(form: string): string {
  const word = regularEnglish(form);
  if (word.length < 3) return word;
  const exception = EXCEPTIONS.get(word);
  if (exception !== undefined) return exception;
  let w = markConsonantY(word.startsWith("'") ? word.slice(1) : word);
  const r1 = regionAfter(w, 0, /^(?:arsen|commun|emerg|gener|inter|later|organ|past|univers)/u);
  const r2 = regionAfter(w, r1);
  w = plural(w.replace(/'(?:s'?)?$/u, ""));
  if (INVARIANT.has(w)) return w;
  w = pastAndParticiple(w, r1);
  w = w.replace(/^(.+[^aeiouy])[yY]$/u, "$1i");
  w = byTable(w, STEP_2, r1, r2);
  w = byTable(w, STEP_3, r1, r2);
  w = dropResidue(w, r2);
  return finalLetter(w, r1, r2).replaceAll("Y", "y");
}

const EXCEPTIONS: ReadonlyMap<string, string> = new Map(
  [
    "skis ski,skies sky,dying die,lying lie,tying tie,idly idl,gently gentl,ugly ugli,early earli,only onli,singly singl",
    "sky sky,news news,howe howe,atlas atlas,cosmos cosmos,bias bias,andes andes",
  ]
    .join(",")
    .split(",")
    .map((pair) => pair.split(" ") as [string, string]),
);

const INVARIANT: ReadonlySet<string> = new Set(
  "inning outing canning herring earring evening proceed exceed succeed".split(" "),
);

/** Endings, longest first, with what replaces them; some only after certain letters. */
type Ending = readonly [ending: string, replacement: string, after?: RegExp | undefined, region?: "r2"];

const STEP_2: readonly Ending[] = [
  ["ization", "ize"],
  ["ational", "ate"],
  ["fulness", "ful"],
  ["ousness", "ous"],
  ["iveness", "ive"],
  ["tional", "tion"],
  ["biliti", "ble"],
  ["lessli", "less"],
  ["entli", "ent"],
  ["ation", "ate"],
  ["alism", "al"],
  ["aliti", "al"],
  ["ousli", "ous"],
  ["iviti", "ive"],
  ["fulli", "ful"],
  ["ogist", "og"],
  ["enci", "ence"],
  ["anci", "ance"],
  ["abli", "able"],
  ["izer", "ize"],
  ["ator", "ate"],
  ["alli", "al"],
  ["bli", "ble"],
  ["ogi", "og", /l$/u],
  ["li", "", /[cdeghkmnrt]$/u],
];

const STEP_3: readonly Ending[] = [
  ["ational", "ate"],
  ["tional", "tion"],
  ["alize", "al"],
  ["icate", "ic"],
  ["iciti", "ic"],
  ["ative", "", undefined, "r2"],
  ["ical", "ic"],
  ["ness", ""],
  ["ful", ""],
];

const STEP_4 = "ement ance ence able ible ment ant ent ism ate iti ous ive ize al er ic".split(" ");

function markConsonantY(word: string): string {
  return word.includes("y") ? word.replace(/^y|(?<=[aeiouy])y/gu, "Y") : word;
}

/** Start of the region after the first non-vowel that follows a vowel, from `start` on. */
function regionAfter(word: string, start: number, prefixes?: RegExp): number {
  const prefix = prefixes?.exec(word);
  if (prefix) return prefix[0].length;
  for (let i = start + 1; i < word.length; i++) {
    if (isVowel(word[i - 1]) && !isVowel(word[i])) return i + 1;
  }
  return word.length;
}

function isVowel(letter: string | undefined): boolean {
  return letter !== undefined && "aeiouy".includes(letter);
}

/** Step 1a. */
function plural(w: string): string {
  if (w.endsWith("sses")) return w.slice(0, -2);
  if (w.endsWith("ied") || w.endsWith("ies")) return w.length > 4 ? w.slice(0, -2) : w.slice(0, -1);
  if (!w.endsWith("s") || w.endsWith("us") || w.endsWith("ss")) return w;
  return /[aeiouy].+s$/u.test(w) ? w.slice(0, -1) : w;
}

/** Step 1b. */
function pastAndParticiple(w: string, r1: number): string {
  const eed = /eed(?:ly)?$/u.exec(w);
  if (eed) return eed.index >= r1 ? `${w.slice(0, eed.index)}ee` : w;
  const ending = /^(.*[aeiouy].*?)(?:ingly|edly|ing|ed)$/u.exec(w);
  const stem = ending?.[1];
  if (stem === undefined) return w;
  if (/(?:at|bl|iz)$/u.test(stem)) return `${stem}e`;
  if (/(?:bb|dd|ff|gg|mm|nn|pp|rr|tt)$/u.test(stem))
    return /^[aeo]..$/u.test(stem) ? stem : stem.slice(0, -1);
  return r1 >= stem.length && isShort(stem) ? `${stem}e` : stem;
}

/** Whether the word ends in a short syllable. */
function isShort(w: string): boolean {
  return /(?:^[aeiouy][^aeiouy]|[^aeiouy][aeiouy][^aeiouywxY])$/u.test(w);
}

function byTable(w: string, table: readonly Ending[], r1: number, r2: number): string {
  for (const [ending, replacement, after, region] of table) {
    if (!w.endsWith(ending)) continue;
    const stem = w.slice(0, -ending.length);
    const fits = stem.length >= (region === "r2" ? r2 : r1) && (after === undefined || after.test(stem));
    return fits ? stem + replacement : w;
  }
  return w;
}

/** Step 4. */
function dropResidue(w: string, r2: number): string {
  const ending = STEP_4.find((candidate) => w.endsWith(candidate));
  if (ending !== undefined) return w.length - ending.length >= r2 ? w.slice(0, -ending.length) : w;
  return /[st]ion$/u.test(w) && w.length - 3 >= r2 ? w.slice(0, -3) : w;
}

/** Step 5. */
function finalLetter(w: string, r1: number, r2: number): string {
  const at = w.length - 1;
  if (w.endsWith("e") && (at >= r2 || (at >= r1 && !isShort(w.slice(0, -1))))) return w.slice(0, -1);
  return w.endsWith("ll") && at >= r2 ? w.slice(0, -1) : w;
}
