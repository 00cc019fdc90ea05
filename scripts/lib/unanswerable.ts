import { readAsking } from "../../src/query/answer/asking.ts";
import { isFunctionWord } from "../../src/text/lexical-share.ts";

interface ContentWord {
  readonly text: string;
  readonly start: number;
  readonly end: number;
  readonly kind: "number" | "name" | "word";
}

const segmenter = new Intl.Segmenter("und", { granularity: "word" });

/** Words of a question that are neither small nor ask. */
function contentWords(question: string): readonly ContentWord[] {
  const asking = readAsking(question).spans;
  return [...segmenter.segment(question)].flatMap(({ segment, index, isWordLike }): ContentWord[] => {
    const end = index + segment.length;
    const asks = asking.some((span) => span.start < end && index < span.end);
    if (!isWordLike || asks || segment.length < 2 || isFunctionWord(segment.toLowerCase())) return [];
    const name = /^\p{Lu}/u.test(segment) && index > 0;
    return [
      { text: segment, start: index, end, kind: /\p{N}/u.test(segment) ? "number" : name ? "name" : "word" },
    ];
  });
}

/** Questions, each with one content word exchanged for one of its kind from another question. */
export function alteredQuestions(questions: readonly string[]): readonly string[] {
  return exchanged(questions, ["number", "name", "word"], 7);
}

/** The same with a name or number: of another company, person, product or year. None where no capitals show names. */
export function renamedQuestions(questions: readonly string[]): readonly string[] {
  return exchanged(questions, ["number", "name"], 11);
}

function exchanged(
  questions: readonly string[],
  kinds: readonly ContentWord["kind"][],
  seed: number,
): readonly string[] {
  const words = questions.map(contentWords);
  const pool = words.flat();
  const random = randomNumbers(seed);
  return questions.flatMap((question, i) => {
    const own = words[i] ?? [];
    const some = own.filter(({ kind }) => kinds.includes(kind));
    const word = some[Math.floor(random() * some.length)];
    if (own.length < 2 || word === undefined) return [];
    const others = pool.filter(
      ({ kind, text }) => kind === word.kind && !question.toLowerCase().includes(text.toLowerCase()),
    );
    const other = others[Math.floor(random() * others.length)];
    return other ? [question.slice(0, word.start) + other.text + question.slice(word.end)] : [];
  });
}

const DENIALS: Readonly<Record<string, string>> = {
  en: "not ",
  id: "tidak ",
  vi: "không ",
  zh: "没有",
  th: "ไม่",
};

/** Questions that deny one of their words; none in a language without a denial here. */
export function deniedQuestions(questions: readonly string[], language: string): readonly string[] {
  const denial = DENIALS[language];
  return questions.flatMap((question, i) => {
    const own = contentWords(question).filter(({ kind }) => kind === "word");
    const word = own[i % Math.max(1, own.length)];
    if (denial === undefined || word === undefined) return [];
    return [question.slice(0, word.start) + denial + question.slice(word.start)];
  });
}

/** From 0 to 1, the same at every run (linear congruential, Numerical Recipes). */
function randomNumbers(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state * 1_664_525 + 1_013_904_223) % 2 ** 32;
    return state / 2 ** 32;
  };
}
