import type { AnswerSentence, Evidence, Span, Support } from "../../spec/index.ts";
import { analyzeField } from "../../text/analyze.ts";
import { isFunctionWord } from "../../text/lexical-share.ts";
import { sentences } from "../../text/sentences.ts";
import type { CitedSentence } from "./answer-sentences.ts";
import { type Fact, factsOf } from "./facts.ts";
import type { NameOptions } from "./facts-names.ts";
import { type Ground, groundOf, type SourceFacts, surroundingsOf } from "./grounds.ts";
import { isNegated } from "./negation.ts";
import { type PassageUnit, passageUnits } from "./passage-units.ts";
import { remembered } from "./remembered.ts";

/** A source that a sentence cites, with the quoted places that were found in it. */
export interface CitedSource {
  readonly evidence: Evidence;
  /** In the passage's text. */
  readonly quotes: readonly Span[];
}

export interface Verdict {
  readonly verdict: AnswerSentence["verdict"];
  readonly reasons: readonly string[];
  /** Facts found outside the quoted words, by number of the source. */
  readonly support: ReadonlyMap<number, readonly Support[]>;
}

/** Looks up everything that a passage's grounds are made of once, whatever the number of sentences that cite it. */
export function createJudge(
  names: NameOptions,
  sourceFacts: (documentId: string) => SourceFacts,
): (sentence: CitedSentence, sources: readonly CitedSource[]) => Verdict {
  const surroundings = remembered((one: Evidence) => surroundingsOf(one, sourceFacts(one.documentId)));
  const passage = remembered((one: Evidence) => groundOf("passage", one.text, one.language));

  return (sentence, sources) => {
    if (statesNothing(sentence.words)) return { verdict: "none", reasons: [], support: new Map() };
    if (sources.length === 0) return unsupported(["It cites no source."]);
    const quoted = sources.filter(({ quotes }) => quotes.length > 0);
    if (quoted.length === 0) return unsupported(["No words that it rests on were found in what it cites."]);
    const quotes = quoted.map((source) => ({ source, ground: quoteGround(source, sentence.words) }));
    const near = quotes.map(({ ground }) => ground);
    const around = quoted.flatMap(({ evidence }) => surroundings(evidence));
    const passages = quoted.map(({ evidence }) => passage(evidence));
    const facts = factsOf(sentence.words, names);
    const looked = facts.map((fact) => ({
      fact,
      found: fact.find([...near, ...(fact.kind === "name" ? passages : []), ...around]),
    }));
    const reasons = looked
      .filter(({ found }) => found === undefined)
      .map(({ fact }) => missingReason(fact, passages));
    const apart = sharesNoWord(sentence.words, names.language, quoted, [...near, ...passages]);
    const doubts = [
      ...reasons,
      ...(apart ? ["It shares no word with what it cites."] : []),
      ...opposite(sentence.words, names.language, quoted),
    ];
    if (doubts.length > 0) return unsupported(doubts);
    const ownGrounds = (evidence: Evidence) => new Set([passage(evidence), ...surroundings(evidence)]);
    const support = new Map(
      quoted.map(
        ({ evidence }) => [evidence.number, supportOf(looked, ownGrounds(evidence), evidence)] as const,
      ),
    );
    return { verdict: "supported", reasons: [], support };
  };
}

function unsupported(reasons: readonly string[]): Verdict {
  return { verdict: "unsupported", reasons, support: new Map() };
}

/** A heading, a lead-in that ends in a colon, a block of code, nothing but signs. */
function statesNothing(words: string): boolean {
  return (
    /^#{1,6}\s/.test(words) || /[:：]\s*$/u.test(words) || /^```/.test(words) || !/[\p{L}\p{N}]/u.test(words)
  );
}

/** The sentences around the quoted words, rows with the header of their table. */
function quoteGround({ evidence, quotes }: CitedSource, words: string): Ground {
  const { text, language } = evidence;
  const fitting = quotes.length === 1 ? quotes : fittingQuotes(evidence, quotes, words);
  const units = quotedUnits(evidence, fitting);
  const shown = units.map(({ start, end }) => text.slice(start, end)).join(" ");
  const headers = units.flatMap(({ header }) => header ?? []);
  return groundOf("quote", shown, language, [...headers, shown].join("\n"));
}

/** The sentences and rows that quoted words stand in. */
function quotedUnits({ text, language }: Evidence, quotes: readonly Span[]): readonly PassageUnit[] {
  const units = passageUnits(text, language).filter((unit) =>
    quotes.some((quote) => unit.start < quote.end && quote.start < unit.end),
  );
  return units.length > 0 ? units : quotes;
}

/** So much of a sentence's words in a quoted one, and both are about the same. */
const SAME = 0.6;

/**
 * Where every quoted sentence that says nearly the same is denied and this one is not, or the other way round. A text that
 * denies in other words ("forbidden", "lacks") is not seen.
 */
function opposite(
  words: string,
  language: string | undefined,
  sources: readonly CitedSource[],
): readonly string[] {
  const denied = isNegated(words, language);
  const same = sources.flatMap(({ evidence, quotes }) => {
    const wanted = contentTerms(words, evidence.language);
    return quotedUnits(evidence, quotes)
      .map(({ start, end }) => evidence.text.slice(start, end))
      .filter((unit) => {
        const terms = contentTerms(unit, evidence.language);
        return [...wanted].filter((term) => terms.has(term)).length >= SAME * wanted.size;
      })
      .map((unit) => isNegated(unit, evidence.language));
  });
  if (same.length === 0 || same.includes(denied)) return [];
  return [denied ? "It denies what the quoted words say." : "The quoted words deny what it says."];
}

/** Of several quotes from one source those count that have as much to do with the sentence as the best one, nearly. */
function fittingQuotes(evidence: Evidence, quotes: readonly Span[], words: string): readonly Span[] {
  const wanted = contentTerms(words, evidence.language);
  const shares = quotes.map(({ start, end }) => {
    const terms = contentTerms(evidence.text.slice(start, end), evidence.language);
    return [...wanted].filter((term) => terms.has(term)).length;
  });
  const best = Math.max(...shares);
  return quotes.filter((_, i) => (shares[i] ?? 0) >= best / 2);
}

function missingReason({ kind, text, find }: Fact, passages: readonly Ground[]): string {
  return kind !== "name" && find(passages)
    ? `"${text}" stands in the source, but not in the quoted words.`
    : `"${text}" stands neither in what it cites nor in the title, headings, metadata or opening lines there.`;
}

/** Only where sentence and source are in one language, and the sentence says enough for it to be no chance. */
function sharesNoWord(
  words: string,
  language: string | undefined,
  sources: readonly CitedSource[],
  grounds: readonly Ground[],
): boolean {
  if (language === undefined || sources.some(({ evidence }) => evidence.language !== language)) return false;
  const terms = contentTerms(words, language);
  return terms.size >= 3 && ![...terms].some((term) => grounds.some((ground) => ground.terms.has(term)));
}

function contentTerms(text: string, language: string | undefined): ReadonlySet<string> {
  const terms = [...analyzeField(text, { language }).terms.keys()];
  return new Set(terms.filter((term) => !isFunctionWord(term)));
}

function supportOf(
  looked: readonly { readonly fact: Fact; readonly found: readonly Ground[] | undefined }[],
  own: ReadonlySet<Ground>,
  { text, language }: Evidence,
): readonly Support[] {
  return looked.flatMap(({ fact, found = [] }) =>
    found.flatMap((ground): Support[] => {
      if (ground.place === "quote" || !own.has(ground)) return [];
      const words = ground.place === "passage" ? sentenceWith(fact, text, language) : ground.words;
      return [{ fact: fact.text, place: ground.place, words }];
    }),
  );
}

function sentenceWith(fact: Fact, text: string, language: string | undefined): string {
  const spans = sentences(text, language).map(({ start, end }) => text.slice(start, end));
  return spans.find((one) => fact.find([groundOf("passage", one, language)])) ?? "";
}
