/** Letters that Unicode does not take apart into a base letter and a mark. */
const UNDECOMPOSED: Readonly<Record<string, string>> = {
  đ: "d",
  ð: "d",
  ħ: "h",
  ı: "i",
  ł: "l",
  ø: "o",
  ŧ: "t",
  æ: "ae",
  œ: "oe",
  þ: "th",
  ٱ: "ا",
  ى: "ي",
  ة: "ه",
  ی: "ي",
  ک: "ك",
};

/** A nasal before a stop, which Hindi and Marathi write as a letter or as a point above (हिन्दी, हिंदी). */
const NASALS = /[ङञणनम]\u094d(?=[क-म])|ँ/gu;
const NUKTA = /\u093c/gu;

const MARKS = /[\u0300-\u036f\u0591-\u05c7\u064b-\u065f\u0670]/gu;
/** Characters without a shape, inside words; and the Arabic tatweel, which only stretches them. */
export const INVISIBLE = /\u00ad|\u200c|\u200d|\u2060|\ufeff|[\ufe00-\ufe0f]|\u0640/gu;
/** Zero of each set of decimal digits that is written beside European ones in its countries. */
const DIGITS = /[\u0660-\u0669\u06f0-\u06f9\u0966-\u096f\u09e6-\u09ef\u0e50-\u0e59]/gu;

/** Han, Kana and Thai that normalisation leaves as they are; the second sign of a pair would go before the first. */
const NORMAL = /^(?:[\u3041-\u3096\u30a1-\u30fa\u30fc\u4e00-\u9fff]+|[\u0e01-\u0e3a\u0e40-\u0e4c\u0e4e]+)$/u;
const UNORDERED = /[\u0e48-\u0e4b][\u0e38-\u0e3a]|[\u0e38\u0e39]\u0e3a/u;

/**
 * The form in which words are compared: NFKC, case-folded (ß is ss, ς is σ), without invisible characters, digits of
 * Arabic, Persian, Devanagari, Bengali and Thai as 0–9. The same for any canonically equal spelling.
 */
export function normaliseWord(word: string): string {
  if (isAscii(word)) return word.toLowerCase();
  if (NORMAL.test(word) && !UNORDERED.test(word)) return word;
  // Upper case first: it maps letters that differ in case folding only (ß, ſ, ς) to one spelling.
  const folded = word
    .normalize("NFKC")
    .toUpperCase()
    .toLowerCase()
    .replaceAll("ς", "σ")
    .replace(INVISIBLE, "");
  const form = folded.replace(DIGITS, digit).normalize("NFKC");
  return form.includes("\u0e4d") || form.includes("\u0ecd") ? composeAm(form) : form;
}

/**
 * NFKC takes the vowel am of Thai and Lao apart, which dictionaries write as one letter; typed as two, its parts stand
 * before or after a tone mark.
 */
function composeAm(form: string): string {
  return form
    .replace(/\u0e4d([\u0e48-\u0e4b]?)\u0e32|([\u0e48-\u0e4b])\u0e4d\u0e32/gu, "$1$2\u0e33")
    .replace(/\u0ecd([\u0ec8-\u0ecb]?)\u0eb2|([\u0ec8-\u0ecb])\u0ecd\u0eb2/gu, "$1$2\u0eb3");
}

/**
 * A normalised word without marks: "đường" → "duong". Marks of Latin, Greek, Cyrillic, Hebrew and Arabic only; elsewhere
 * they are vowels. In Devanagari the two spellings of nasals become one, and the dot of borrowed sounds goes.
 */
export function foldMarks(word: string): string {
  if (isAscii(word)) return word;
  const bare = word.normalize("NFD").replace(MARKS, "");
  return bare
    .replace(/[đðħıłøŧæœþٱىةیک]/gu, (letter) => UNDECOMPOSED[letter] ?? letter)
    .replace(NUKTA, "")
    .replace(NASALS, "ं")
    .normalize("NFC");
}

export function isAscii(text: string): boolean {
  for (let i = 0; i < text.length; i++) if (text.charCodeAt(i) > 127) return false;
  return true;
}

const ZEROS = [0xe50, 0x9e6, 0x966, 0x6f0, 0x660];

function digit(character: string): string {
  const code = character.charCodeAt(0);
  return String(code - (ZEROS.find((zero) => zero <= code) ?? code));
}
