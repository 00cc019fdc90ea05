import { detectLanguage } from "./language.ts";

/** Languages that a few words do not tell apart. */
const ALIKE = [
  ["id", "ms", "jv", "su"],
  ["no", "nb", "nn", "da", "sv"],
  ["zh", "ja"],
  ["es", "pt", "gl", "ca", "it"],
  ["ru", "uk", "be", "bg", "sr", "mk"],
  ["hr", "sr", "bs", "sl"],
  ["cs", "sk"],
];

/**
 * The language that a text is in, when that is surely not `language`. Scripts that many languages share need `least`
 * characters to tell; default 80.
 */
export function otherLanguage(text: string, language: string, least = 80): string | undefined {
  if (text.length < least && /[\p{Script=Latin}\p{Script=Cyrillic}]/u.test(text)) return undefined;
  const found = detectLanguage(text);
  if (found === undefined || found === language) return undefined;
  return ALIKE.some((group) => group.includes(found) && group.includes(language)) ? undefined : found;
}
