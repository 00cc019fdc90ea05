import type { AnswerEvent, Evidence } from "../../spec/index.ts";
import { detectLanguage } from "../../text/language.ts";
import { citedSentences } from "./answer-sentences.ts";
import { conflictWord, notFoundWord } from "./generate-prompt.ts";
import type { SourceFacts } from "./grounds.ts";
import { knownWords } from "./known-words.ts";
import { readMarkers } from "./markers.ts";
import { createJudge } from "./verdicts.ts";

export interface ReplyStream {
  add(text: string): void;
  /** The reply is whole. */
  end(): void;
}

interface StreamInput {
  readonly question: string;
  readonly evidence: readonly Evidence[];
  readonly sourceFacts: (documentId: string) => SourceFacts;
  readonly strict?: boolean | undefined;
}

/**
 * Hands on the answer while it is written: never its tail of quotes, a mark that is not complete or names no source, or
 * what may become "not found". When a sentence has ended, its names, numbers and dates are looked up in the passages it
 * cites; the quotes come last, and with them the final verdict. With `strict`, nothing is handed on that has to be taken
 * back, so nothing is handed on before the end.
 */
export function createReplyStream(input: StreamInput, onEvent: (event: AnswerEvent) => void): ReplyStream {
  const judge = sentenceJudge(input);
  const languageOf = languageOfBeginning();
  let reply = "";
  let told = "";
  let judged = 0;

  const tell = (whole: boolean) => {
    const answer = shown(reply, whole);
    const { text, marks } = readMarkers(answer, input.evidence.length);
    if (text.length > told.length && text.startsWith(told)) {
      onEvent({ type: "text", text: text.slice(told.length) });
      told = text;
    }
    const sentences = citedSentences(text, marks, languageOf(text));
    // The last one may go on, and its marks may still come.
    for (const sentence of sentences.slice(judged, whole ? undefined : -1)) {
      onEvent({ type: "sentence", text: text.slice(sentence.start, sentence.end), reasons: judge(sentence) });
      judged++;
    }
  };

  return {
    add(text) {
      reply += text;
      if (!input.strict) tell(false);
    },
    end() {
      if (!input.strict) tell(true);
    },
  };
}

/** Characters that tell the language of an answer. */
const TELLING = 600;

/** Looked for anew with every piece only until there is enough: a long answer would cost more with each. */
function languageOfBeginning(): (text: string) => string | undefined {
  let told: { readonly language: string | undefined } | undefined;
  return (text) => {
    if (told) return told.language;
    const language = detectLanguage(text.slice(0, TELLING));
    if (text.length >= TELLING) told = { language };
    return language;
  };
}

/** The part of a reply that can be shown already. */
function shown(reply: string, whole: boolean): string {
  const tail = /\n?```\w*\s*<quotes>|<quotes>/i.exec(reply);
  if (tail) return settled(reply.slice(0, tail.index), true);
  return settled(reply, whole);
}

function settled(answer: string, whole: boolean): string {
  const word = /^[^\p{L}\p{N}]*([A-Z_]*)/u.exec(answer);
  const begun = word?.[1] ?? "";
  const rest = answer.slice(word?.[0].length ?? 0);
  if (begun === notFoundWord) return "";
  if (begun === conflictWord) return rest.replace(/^[\s*_.:—–-]+/u, "");
  if (whole) return answer;
  if (rest === "" && [notFoundWord, conflictWord].some((one) => one.startsWith(begun))) return "";
  // Open marks and tags are kept back, and the white space in front of what may be one.
  return answer.replace(/\s*(?:[[【][^\]】\n]{0,40}|<[a-z/]{0,8}|`{1,3}\w*|\n```\w*)?$/iu, "");
}

function sentenceJudge({ question, evidence, sourceFacts }: StreamInput) {
  let judge: ReturnType<typeof createJudge> | undefined;
  return (sentence: ReturnType<typeof citedSentences>[number]): readonly string[] => {
    judge ??= createJudge(knownWords(question, evidence, detectLanguage(sentence.words)), sourceFacts);
    const sources = sentence.numbers.flatMap((number) => {
      const one = evidence[number - 1];
      return one ? [{ evidence: one, quotes: [{ start: 0, end: one.text.length }] }] : [];
    });
    return judge(sentence, sources).reasons;
  };
}
