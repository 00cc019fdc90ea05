/** Positions of ligatures in the first encoding of TeX, which some programs pass on in the place of letters. */
const texLigatures: Readonly<Record<string, string>> = {
  "\u000B": "ff",
  "\u000C": "fi",
  "\u000D": "fl",
  "\u000E": "ffi",
  "\u000F": "ffl",
  "\u21B5": "ff",
};

/** Letters in the forms they are printed in: ligatures, Arabic letters by their place in the word, spaces of set widths. */
const printedForms =
  /[\u00A0\u2000-\u200A\u202F\u3000\uFB00-\uFB06\uFB13-\uFB17\uFB1D-\uFDFF\uFE70-\uFEFC]+/g;

/** Text as people type it, from the characters that a font names. */
export function readableText(text: string): string {
  return text
    .replace(/(?<=\p{L}|^)[\p{Cc}\u21B5](?=\p{L}|$)/gu, (sign) => texLigatures[sign] ?? sign)
    .replace(/\p{Cc}/gu, " ")
    .replace(printedForms, (forms) => forms.normalize("NFKC"))
    .replace(lamAlef, "\u0627\u0644$1");
}

/**
 * The ligature of lam and alef comes with its letters in the order of the page, not of the word. Two alefs never stand
 * beside each other, so alef, alef, lam is put right as alef, lam, alef; elsewhere both orders make words.
 */
const lamAlef = /\u0627([\u0622\u0623\u0625\u0627])\u0644/g;

const combining: Readonly<Record<string, string>> = {
  "\u02D8": "\u0306",
  "\u02C7": "\u030C",
  "\u00B4": "\u0301",
  "\u00A8": "\u0308",
  "\u02DC": "\u0303",
  "\u00B8": "\u0327",
  "\u02DA": "\u030A",
  "\u02C6": "\u0302",
  "\u00AF": "\u0304",
  "\u02DD": "\u030B",
};

/** Stands for a ligature of three letters until the letter after it tells which: "ffl" before i, u, y and e, else "ffi". */
export const wideLigature = "\uE000";

/** Puts right what only shows once letters stand beside each other. */
export function composeLetters(text: string): string {
  const composed = composeAccents(text);
  return composed.replace(/(?<=\p{L})\uE000(?=(\p{L}))/gu, (_, next: string) =>
    /[iuye]/.test(next) ? "ffl" : "ffi",
  );
}

/** TeX sets an accent before its letter, as a character of its own. */
export function composeAccents(text: string): string {
  return text.replace(
    /([\u02D8\u02C7\u00B4\u00A8\u02DC\u00B8\u02DA\u02C6\u00AF\u02DD])([\p{L}\u0131])/gu,
    (whole, accent, letter) => {
      const composed = ((letter === "\u0131" ? "i" : letter) + (combining[accent] ?? "")).normalize("NFC");
      return composed.length === 1 ? composed : whole;
    },
  );
}
