import { type GenerateReply, generate, generateStream } from "../../llm/ai.ts";
import { costOf, priceOf } from "../../llm/prices.ts";
import type { PromptBlock } from "../../llm/prompt.ts";
import type { RetryWait } from "../../llm/retry.ts";
import type { AnswerCall, CallPurpose, LanguageModel } from "../../spec/index.ts";

/** A call's words; where they go is the caller's. */
export interface CallRequest {
  readonly purpose: CallPurpose;
  readonly system: string;
  /** In front of `prompt` in the user's message. */
  readonly front?: readonly PromptBlock[];
  readonly prompt: string;
  readonly maxOutputTokens: number;
  readonly signal?: AbortSignal | undefined;
  /** Text as it comes. */
  readonly onText?: ((text: string) => void) | undefined;
}

/** One model, and all that was asked of it for one answer. */
export interface Caller {
  readonly modelId: string;
  call(request: CallRequest): Promise<GenerateReply>;
  /** Calls that were answered, in order. */
  readonly calls: readonly AnswerCall[];
}

/** `onWait` is told whenever the provider cannot serve and a call is made again. */
export function createCaller(
  model: LanguageModel,
  modelId: string,
  onWait?: (wait: RetryWait) => void,
): Caller {
  const calls: AnswerCall[] = [];
  const price = priceOf(modelId);
  return {
    modelId,
    calls,
    async call({ purpose, onText, front = [], ...request }) {
      const start = performance.now();
      const asked = { model, modelId, front, onWait, ...request };
      const reply = onText ? await generateStream(asked, onText) : await generate(asked);
      const cost = costOf(reply.usage, price);
      const ms = performance.now() - start;
      calls.push({ purpose, model: modelId, usage: reply.usage, ...(cost !== undefined && { cost }), ms });
      return reply;
    },
  };
}
