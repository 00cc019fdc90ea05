/**
 * Mends Snowball's Indonesian stemmer (Tala 2003) where the nasal prefix swallowed the first letter of the root:
 * men- and pen- before a vowel stand for t ("menulis", "penulis" → tulis), as "tulisan" and "ditulis" keep it;
 * and a doubled loss, mem- before "akan", stands for m ("memakan" → makan).
 */
export function restoreNasal(word: string, stem: string): string {
  if (/^(?:me|pe)n[aeiou]/u.test(word) && word.startsWith(stem, 3)) return `t${stem}`;
  if (/^(?:me|pe)makan/u.test(word) && stem === "pakan") return "makan";
  return stem;
}
