const FINAL_LETTERS: Readonly<Record<string, string>> = { ך: "כ", ם: "מ", ן: "נ", ף: "פ", ץ: "צ" };

/**
 * Takes off the endings ים, ות, ה and ת, and the one-letter words that Hebrew writes together with the next one (ו and,
 * ה the, ב in, ל to, מ from, כ as, ש that): as many as there are while three letters stay, so that a word keeps the same
 * rest whatever stands in front of it. Roots that begin with such letters lose them in every form alike. No dictionary.
 */
export function stemHebrew(word: string): string {
  const base = word.replace(/(?<=\p{L}{2})(?:ים|ות)$|(?<=\p{L}{3})[הת]$/u, "");
  const bare = base.replace(/^[והבלמכש]+(?=\p{L}{3})/u, "");
  return bare.replace(/[ךםןףץ]$/u, (letter) => FINAL_LETTERS[letter] ?? letter);
}
