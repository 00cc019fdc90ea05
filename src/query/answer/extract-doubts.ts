import { saidBeside, type Weighed } from "./confidence-features.ts";
import { numbersOf } from "./facts-numbers.ts";
import type { ReadQuestion } from "./question.ts";

/**
 * What a reader of extracts should look at twice: names, numbers and codes of the question that stand nowhere beside the
 * first one, and figures of another document that differ from its own.
 */
export function doubtsOf(
  question: ReadQuestion,
  text: string,
  chosen: readonly Weighed[],
): readonly string[] {
  const [first] = chosen;
  if (first === undefined) return [];
  const missing = missingNames(question, first);
  const differ = question.figure && differFrom(text, chosen);
  return [
    ...(missing.length === 0
      ? []
      : [`${missing.map((name) => `"${name}"`).join(", ")} does not stand near the first extract.`]),
    ...(differ ? ["The documents give different figures: compare the extracts."] : []),
  ];
}

function missingNames({ words }: ReadQuestion, first: Weighed): readonly string[] {
  const beside = saidBeside(first);
  const missing = words.filter((word) => word.exact && beside(word) === 0);
  return [...new Set(missing.map(({ text }) => text))];
}

/** An extract of another document has a figure, and none that the first one has. */
function differFrom(text: string, chosen: readonly Weighed[]): boolean {
  const asked = new Set(figures(text));
  const [first = [], ...others] = chosen
    .filter(({ hit }, i) => i === 0 || hit.documentId !== chosen[0]?.hit.documentId)
    .map(({ hit, start, end }) => figures(hit.text.slice(start, end)).filter((value) => !asked.has(value)));
  return (
    first.length > 0 &&
    others.some((other) => other.length > 0 && !other.some((value) => first.includes(value)))
  );
}

function figures(text: string): readonly string[] {
  return numbersOf(text, { words: true }).flatMap(({ values }) => values);
}
