import type { Evidence } from "../../spec/index.ts";
import { analyzeField } from "../../text/analyze.ts";
import type { NameOptions } from "./facts-names.ts";

/** Which words the passages and the question write small, and which only with a capital inside a sentence. */
export function knownWords(
  question: string,
  evidence: readonly Evidence[],
  language: string | undefined,
): NameOptions {
  let known: { readonly small: ReadonlySet<string>; readonly capital: ReadonlySet<string> } | undefined;
  const read = () => {
    known ??= readWords([question, ...evidence.flatMap(({ title, text }) => [title, text])], language);
    return known;
  };
  const isCommon = (word: string) => formsOf(word, language).some((form) => read().small.has(form));
  const isName = (word: string) => read().capital.has(word) && !isCommon(word.toLowerCase());
  return { language, isCommon, isName };
}

function readWords(texts: readonly string[], language: string | undefined) {
  const small = new Set<string>();
  const capital = new Set<string>();
  for (const text of texts) {
    for (const { 0: word } of text.matchAll(/(?<![\p{L}\p{M}])\p{Ll}[\p{L}\p{M}]*/gu)) small.add(word);
    for (const { 1: word = "" } of text.matchAll(/(?<=[\p{L}\p{N},] )(\p{Lu}[\p{L}\p{M}\p{N}]*)/gu))
      capital.add(word);
  }
  return { small: new Set(formsOf([...small].join(" "), language)), capital };
}

function formsOf(words: string, language: string | undefined): readonly string[] {
  return [...analyzeField(words, { language }).terms.keys()];
}
