import { INDONESIAN_ROOTS } from "./indonesian-roots.ts";

/** Particles and possessives, then suffixes of derivation. */
const ENDINGS: readonly (readonly RegExp[])[] = [[/(?:lah|kah|pun|nya|ku|mu)$/u], [/kan$/u, /an$/u, /i$/u]];
/** Nasal prefixes with the letters that they may stand for, and plain ones. */
const PREFIXES: readonly (readonly [prefix: RegExp, letters: readonly string[]])[] = [
  [/^(?:me|pe)ng(?=[aeiou])/u, ["", "k"]],
  [/^(?:me|pe)nge(?=[^aeiou][aeiou][^aeiou]$)/u, [""]],
  [/^(?:me|pe)ng(?=[ghk])/u, [""]],
  [/^(?:me|pe)ny(?=[aeiou])/u, ["s", "ny"]],
  [/^(?:me|pe)n(?=[aeiou])/u, ["t", "n"]],
  [/^(?:me|pe)n(?=[cdjstz])/u, [""]],
  [/^(?:me|pe)m(?=[aeiou])/u, ["p", "m"]],
  [/^(?:me|pe)m(?=[bfpv])/u, [""]],
  [/^(?:me|pe)(?=[lmnrwy])/u, [""]],
  [/^(?:di|ter|ber|be|per|pe|se|ke)/u, [""]],
];
const DEEPEST = 3;

/**
 * The root of a word, where it is one that Snowball's Indonesian stemmer (Tala 2003) cuts wrongly or where a nasal prefix
 * swallowed a letter; else Snowball's stem, mended as far as rules can tell. What is taken off least comes first.
 */
export function stemIndonesian(word: string, snowball: (word: string) => string): string {
  return rootOf(word) ?? restoreNasal(word, snowball(word));
}

function rootOf(word: string): string | undefined {
  let forms: ReadonlySet<string> = new Set(withoutEndings(word));
  for (let depth = 0; depth <= DEEPEST && forms.size > 0; depth++) {
    for (const form of forms) if (INDONESIAN_ROOTS.has(form)) return form;
    forms = new Set([...forms].flatMap(withoutPrefix));
  }
  return undefined;
}

function withoutEndings(word: string): readonly string[] {
  const forms = [word];
  for (const endings of ENDINGS) {
    const bare = forms.flatMap((form) => endings.map((ending) => form.replace(ending, "")));
    forms.push(...bare.filter((form) => form.length > 2));
  }
  return forms;
}

function withoutPrefix(word: string): readonly string[] {
  return PREFIXES.flatMap(([prefix, letters]) => {
    const rest = word.replace(prefix, "");
    return rest === word || rest.length < 2 ? [] : letters.map((letter) => letter + rest);
  });
}

/**
 * men- and pen- before a vowel stand for t ("menulis", "penulis" → tulis), as "tulisan" and "ditulis" keep it; and a
 * doubled loss, mem- before "akan", stands for m ("memakan" → makan).
 */
function restoreNasal(word: string, stem: string): string {
  return /^(?:me|pe)n[aeiou]/u.test(word) && word.startsWith(stem, 3) ? `t${stem}` : stem;
}
