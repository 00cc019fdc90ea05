import { analyzeField } from "../../text/analyze.ts";
import { type DateFact, type DateParts, datesOf, saysDate } from "./facts-dates.ts";
import { type NameOptions, namesOf } from "./facts-names.ts";
import { currencyApart, numbersOf } from "./facts-numbers.ts";
import type { Ground } from "./grounds.ts";

/** Something in a sentence that has to stand in a source as well. */
export interface Fact {
  readonly kind: "name" | "number" | "date";
  readonly text: string;
  /** The ground that has it, or several that have it together; undefined when none does. */
  find(grounds: readonly Ground[]): readonly Ground[] | undefined;
}

/** Names, numbers and dates of a sentence, each once. Numbers of a list ("1. …") are none. */
export function factsOf(sentence: string, options: NameOptions): readonly Fact[] {
  const text = currencyApart(sentence).replace(/^\s*(?:[-*•]\s+)?\d{1,2}[.)]\s+/, (number) =>
    " ".repeat(number.length),
  );
  const dates = datesOf(text);
  const inDate = ({ start, end }: { start: number; end: number }) =>
    dates.some((date) => start < date.end && date.start < end);
  const facts = [
    ...dates.map(dateFact),
    ...numbersOf(text)
      .filter((number) => !inDate(number))
      .map(({ text: written, values }) => numberFact(written, values)),
    ...namesOf(text, options)
      .filter((name) => !inDate(name))
      .map((name) => nameFact(name.text)),
  ];
  return facts.filter((fact, i) => facts.findIndex(({ text: other }) => other === fact.text) === i);
}

function numberFact(text: string, values: readonly string[]): Fact {
  const find = (grounds: readonly Ground[]) =>
    first(grounds, ({ numbers }) => values.some((value) => numbers.has(value)));
  return { kind: "number", text, find };
}

/** A name stands where one form of each of its words does; "Metformin-Gruppe" by its parts. */
function nameFact(text: string): Fact {
  const find = (grounds: readonly Ground[]) =>
    first(grounds, (ground) => {
      const wanted = [...analyzeField(text, { language: ground.language }).terms.keys()];
      const [whole = "", ...forms] = wanted;
      if (ground.terms.has(whole)) return true;
      // A code has to stand there as it is: one of its parts is another code's as well.
      if (/\p{N}/u.test(text)) return false;
      const compound = /[-_./&]/.test(text);
      return compound
        ? forms.length > 0 && text.split(/[-_./&]/).every((part) => saysWord(part, ground))
        : forms.some((form) => ground.terms.has(form));
    });
  return { kind: "name", text, find };
}

function saysWord(word: string, { terms, language }: Ground): boolean {
  const forms = [...analyzeField(word, { language }).terms.keys()];
  return forms.length === 0 || forms.some((form) => terms.has(form));
}

/** A date may be put together: day and month from the quote, the year from the title. */
function dateFact({ text, readings }: DateFact): Fact {
  const find = (grounds: readonly Ground[]) => {
    for (const wanted of readings) {
      const whole = first(grounds, (ground) => hasDate(ground, wanted));
      if (whole) return whole;
      const parts = inParts(grounds, wanted);
      if (parts) return parts;
    }
    return undefined;
  };
  return { kind: "date", text, find };
}

function inParts(grounds: readonly Ground[], { year, ...rest }: DateParts): readonly Ground[] | undefined {
  if (year === undefined) return undefined;
  const day = first(grounds, (ground) =>
    ground.dates.some(({ readings }) =>
      readings.some((known) => known.year === undefined && saysDate(known, rest)),
    ),
  );
  const of = first(grounds, ({ numbers }) => numbers.has(String(year)));
  return day && of ? [...day, ...of] : undefined;
}

function hasDate({ dates }: Ground, wanted: DateParts): boolean {
  return dates.some(({ readings }) => readings.some((known) => saysDate(known, wanted)));
}

function first(
  grounds: readonly Ground[],
  holds: (ground: Ground) => boolean,
): readonly Ground[] | undefined {
  const found = grounds.find(holds);
  return found && [found];
}
