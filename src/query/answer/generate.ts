import { type GenerateReply, generate } from "../../llm/ai.ts";
import type { Citation, Hit, LanguageModel, Usage } from "../../spec/index.ts";
import { NO_USAGE } from "../../spec/index.ts";
import { checkCitations } from "./citations.ts";
import { answerPrompt, answerRules, notFoundWord } from "./generate-prompt.ts";
import { splitReply } from "./generate-reply.ts";

export interface GenerateAnswerInput {
  readonly question: string;
  /** The evidence, best first; source n is the n-th. */
  readonly hits: readonly Hit[];
  readonly model: LanguageModel;
  /** Name for messages, e.g. "anthropic:claude-haiku-4-5". */
  readonly modelId: string;
  /** Name of the answer's language. Default: that of the question. */
  readonly language?: string | undefined;
  readonly signal?: AbortSignal | undefined;
}

export interface GeneratedAnswer {
  /** Empty when nothing was answered. */
  readonly text: string;
  readonly citations: readonly Citation[];
  /** Why nothing was answered, or what could not be verified. */
  readonly notes: readonly string[];
  readonly usage: Usage;
  readonly abstained: boolean;
}

/** Room for the answer, its quotes, and what a reasoning model thinks before them. Tokens. */
const maxOutputTokens = 4_000;

/**
 * An answer in a model's words from the hits' own text, with its citations checked. Without hits no model is called.
 * Errors: those of the model call.
 */
export async function generateAnswer(input: GenerateAnswerInput): Promise<GeneratedAnswer> {
  const { question, hits, model, modelId, language, signal } = input;
  if (hits.length === 0) return abstention("Nothing was found that could hold an answer.", NO_USAGE);
  const system = answerRules(language);
  const prompt = answerPrompt(question, hits);
  return answerOf(await generate({ model, modelId, system, prompt, maxOutputTokens, signal }), hits);
}

function answerOf(reply: GenerateReply, hits: readonly Hit[]): GeneratedAnswer {
  const { answer, quotes } = splitReply(reply.text);
  if (reply.finishReason === "refused") return abstention("The model refused to answer.", reply.usage);
  if (answer === "") return abstention("The model gave no answer.", reply.usage);
  if (saysNotFound(answer))
    return abstention("The passages that were found do not hold the answer.", reply.usage);
  const checked = checkCitations(answer, quotes, hits);
  const cut = reply.finishReason === "length" ? ["The answer was cut off at the model's limit."] : [];
  return { ...checked, notes: [...cut, ...checked.notes], usage: reply.usage, abstained: false };
}

function saysNotFound(answer: string): boolean {
  return new RegExp(`^[^\\p{L}\\p{N}]*${notFoundWord}(?![\\p{L}\\p{N}])`, "u").test(answer);
}

function abstention(reason: string, usage: Usage): GeneratedAnswer {
  return { text: "", citations: [], notes: [reason], usage, abstained: true };
}
