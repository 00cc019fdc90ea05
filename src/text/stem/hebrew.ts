/**
 * Takes off the one-letter words that Hebrew writes together with the next one (ו and, ה the, ב in, ל to, מ from,
 * כ as, ש that), two at most, while three letters stay; and the plural ים, ות. No dictionary: roots that begin with such
 * a letter lose it in every form alike.
 */
export function stemHebrew(word: string): string {
  const plain = word.replace(/^ו?[הבלמכש]?(?=\p{L}{3})/u, "");
  return plain.replace(/(?<=\p{L}{2})(?:ים|ות)$/u, "");
}
