import { exactTerms } from "./exact-terms.ts";

const QUOTED =
  /"([^"]+)"|\u201c([^\u201d]+)\u201d|\u201e([^\u201c\u201d]+)[\u201c\u201d]|\u00ab([^\u00bb]+)\u00bb/gu;

/** What stands in a pair of double quotation marks ("…", “…”, „…“, «…»), as exact terms in order. A lone mark is nothing. */
export function quotedPhrases(query: string): readonly (readonly string[])[] {
  const phrases: (readonly string[])[] = [];
  for (const match of query.matchAll(QUOTED)) {
    const terms = exactTerms(match.slice(1).find((part) => part !== undefined) ?? "");
    if (terms.length > 0) phrases.push(terms);
  }
  return phrases;
}
