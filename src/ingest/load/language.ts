import { detectLanguage } from "../../text/language.ts";
import { isData } from "./kinds.ts";
import type { Parsed } from "./types.ts";

/** Shorter texts are guessed worse than their page declares. */
const enough = 400;

/**
 * The language of a document as a BCP 47 primary tag: what its front matter says, else what its words say, else what it
 * declares (templates declare a language that the text is not in). Undefined when unknown, and for source code.
 */
export function languageOf(
  { text, blocks, metadata, language, format }: Parsed,
  id: string,
): string | undefined {
  const stated = primaryTag(metadata.language) ?? primaryTag(metadata.lang);
  if (stated !== undefined || format === "code") return stated;
  const body = text.slice(blocks[0]?.kind === "metadata" ? blocks[0].end : 0);
  const declared = primaryTag(language);
  const detected = detectLanguage(body);
  // Keys and numbers look like any language of the Latin script.
  if (isData(id) && detected !== undefined && isLatin(detected)) return declared;
  return body.length >= enough ? (detected ?? declared) : (declared ?? detected);
}

function isLatin(tag: string): boolean {
  return new Intl.Locale(tag).maximize().script === "Latn";
}

/** "id" of "id-ID", "in_ID" or "ID"; undefined for what is no language tag. */
export function primaryTag(value: unknown): string | undefined {
  if (typeof value !== "string" || !/^[a-z]{2,3}([-_].*)?$/i.test(value.trim())) return undefined;
  try {
    return new Intl.Locale(value.trim().replaceAll("_", "-")).language;
  } catch {
    return undefined;
  }
}
