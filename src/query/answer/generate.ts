import type { GenerateReply } from "../../llm/ai.ts";
import { citesDocuments } from "../../llm/prompt.ts";
import type { AbstainReason, AnswerEvent, AnswerSentence, Citation, Evidence } from "../../spec/index.ts";
import { detectLanguage } from "../../text/language.ts";
import type { Caller } from "./caller.ts";
import { checkAnswer } from "./citations.ts";
import {
  answerRules,
  citingRules,
  conflictWord,
  notFoundWord,
  questionPrompt,
  sourceDocuments,
  sourcesPrompt,
} from "./generate-prompt.ts";
import { splitReply } from "./generate-reply.ts";
import type { SourceFacts } from "./grounds.ts";
import { withProviderCitations } from "./provider-citations.ts";
import { createReplyStream } from "./reply-stream.ts";
import { dropUnsupported } from "./strict.ts";

export interface GenerateAnswerInput {
  readonly question: string;
  /** Source n is the n-th. */
  readonly evidence: readonly Evidence[];
  readonly sourceFacts: (documentId: string) => SourceFacts;
  readonly caller: Caller;
  /** The sources are the same for the next question: ask the provider to keep them. Default false. */
  readonly keep?: boolean | undefined;
  /** Have the provider cite, where it does. Default false. */
  readonly providerCitations?: boolean | undefined;
  /** Leave out what is not supported. Default false. */
  readonly strict?: boolean | undefined;
  readonly onEvent?: ((event: AnswerEvent) => void) | undefined;
  readonly signal?: AbortSignal | undefined;
}

export interface GeneratedAnswer {
  /** Empty when nothing was answered. */
  readonly text: string;
  readonly citations: readonly Citation[];
  readonly sentences: readonly AnswerSentence[];
  /** Why nothing was answered, or what could not be verified. */
  readonly notes: readonly string[];
  /** Set when nothing was answered. */
  readonly reason?: AbstainReason;
  readonly cutOff: boolean;
}

/** Room for the answer, its quotes, and what a reasoning model thinks before them. Tokens. */
export const MAX_OUTPUT_TOKENS = 4_000;

/**
 * An answer in a model's words from the passages, with its citations checked. Without passages no model is called.
 * Errors: those of the model call; a reply that breaks off is one, so that half an answer is never taken for a whole one.
 */
export async function generateAnswer(input: GenerateAnswerInput): Promise<GeneratedAnswer> {
  const { question, evidence, caller, onEvent, signal } = input;
  if (evidence.length === 0)
    return abstention("nothing-retrieved", "Nothing was found that could hold an answer.");
  const stream = onEvent && createReplyStream(input, onEvent);
  const cites = input.providerCitations === true && citesDocuments(caller.modelId);
  const reply = await caller.call({
    purpose: "answer",
    ...(cites ? citingPrompt(input) : ownPrompt(input)),
    prompt: questionPrompt(question),
    maxOutputTokens: MAX_OUTPUT_TOKENS,
    signal,
    // What a sentence cites is known behind it: it is told with its marks.
    onText: cites ? undefined : stream?.add,
  });
  const own = withProviderCitations(reply, evidence);
  if (cites) stream?.add(own.text);
  stream?.end();
  return answerOf(reply, own, input);
}

function ownPrompt({ evidence, keep = false }: GenerateAnswerInput) {
  return { system: answerRules, front: [{ text: sourcesPrompt(evidence), cache: keep }] };
}

function citingPrompt({ evidence, keep = false }: GenerateAnswerInput) {
  return { system: citingRules, front: sourceDocuments(evidence, keep) };
}

function answerOf(
  reply: GenerateReply,
  own: ReturnType<typeof withProviderCitations>,
  input: GenerateAnswerInput,
): GeneratedAnswer {
  const { answer, quotes: claimed } = splitReply(own.text);
  const quotes = [...claimed, ...own.quotes];
  const cutOff = reply.finishReason === "length";
  if (reply.finishReason === "refused") return abstention("refused", "The model refused to answer.");
  if (answer === "")
    return abstention(
      "blank",
      cutOff ? "The model came to its limit before it answered." : "The model gave no answer.",
    );
  if (saysNotFound(answer))
    return abstention(
      "off-the-point",
      `The ${input.keep ? "documents" : "passages that were found"} do not hold the answer.`,
    );
  const { text, conflicting } = withoutConflict(answer);
  if (text === "") return abstention("conflicting", "The sources contradict each other.");
  const checked = checkAnswer({ ...input, answer: text, quotes, language: detectLanguage(text) });
  const kept = input.strict ? dropUnsupported(checked) : checked;
  if (kept.text === "")
    return abstention("unsupported", "Nothing that the model wrote could be verified.", kept.notes);
  const notes = [
    ...(cutOff ? ["The answer was cut off at the model's limit."] : []),
    ...(conflicting ? ["The sources contradict each other."] : []),
    ...kept.notes,
  ];
  return { ...kept, notes, cutOff };
}

const said = (word: string) => new RegExp(`^[^\\p{L}\\p{N}]*${word}(?![\\p{L}\\p{N}_])`, "u");

export function saysNotFound(answer: string): boolean {
  return said(notFoundWord).test(answer);
}

export function withoutConflict(answer: string): { readonly text: string; readonly conflicting: boolean } {
  const word = said(conflictWord).exec(answer);
  if (!word) return { text: answer, conflicting: false };
  return { text: answer.slice(word[0].length).replace(/^[\s*_.:—–-]+/u, ""), conflicting: true };
}

function abstention(reason: AbstainReason, note: string, notes: readonly string[] = []): GeneratedAnswer {
  return { text: "", citations: [], sentences: [], notes: [note, ...notes], reason, cutOff: false };
}
