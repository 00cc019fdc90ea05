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
  const differ = chosen.some((other) => differs(question, text, first, other));
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

/**
 * An extract of another document has a figure, and none that the first one has; where no figure is asked for, it must say the
 * same in all other words.
 */
function differs(question: ReadQuestion, text: string, first: Weighed, other: Weighed): boolean {
  if (other.hit.documentId === first.hit.documentId) return false;
  if (!question.figure && withoutFigures(first) !== withoutFigures(other)) return false;
  const asked = new Set(figures(text));
  const [own, others] = [first, other].map((one) =>
    figures(quoteOf(one)).filter((value) => !asked.has(value)),
  );
  return own?.length !== 0 && others?.length !== 0 && !others?.some((value) => own?.includes(value));
}

function quoteOf({ hit, start, end }: Weighed): string {
  return hit.text.slice(start, end);
}

function withoutFigures(one: Weighed): string {
  return quoteOf(one).replace(/[\p{Nd}.,]+/gu, "#");
}

function figures(text: string): readonly string[] {
  return numbersOf(text, { words: true }).flatMap(({ values }) => values);
}
