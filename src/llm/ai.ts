/**
 * The only file that touches the `ai` package. It is loaded on first use, so that importing konteks stays light, and
 * its retries are switched off: `retry.ts` knows what the provider asked for and shares it between calls.
 */
import type * as Ai from "ai";
import type { EmbeddingModel, LanguageModel, Usage } from "../spec/index.ts";
import { isKonteksError } from "../spec/index.ts";
import { toModelError } from "./errors.ts";
import { createRetrier, type Retrier } from "./retry.ts";
import { usageOfCall } from "./usage.ts";

/** A part of the system prompt. */
export interface SystemBlock {
  readonly text: string;
  /** Ask the provider to keep everything up to here, so that the next call with the same beginning reads it cheaply. Default false. */
  readonly cache?: boolean;
}

export interface GenerateRequest {
  readonly model: LanguageModel;
  /** Name for messages, e.g. "anthropic:claude-haiku-4-5". */
  readonly modelId: string;
  readonly system?: string | readonly SystemBlock[];
  /** The user's message. */
  readonly prompt: string;
  readonly maxOutputTokens?: number;
  /** JSON schema of the reply; `GenerateReply.object` then holds it parsed. */
  readonly schema?: Readonly<Record<string, unknown>>;
  readonly signal?: AbortSignal | undefined;
  /** Longest wait for a try to end, before it counts as a broken connection. Milliseconds, default 180,000. */
  readonly timeoutMs?: number | undefined;
  /** Default: one for each model object, shared by all calls with it. */
  readonly retrier?: Retrier | undefined;
}

/** `refused`: stopped by the provider's filter or the model's refusal; `length`: cut off at `maxOutputTokens`. */
export type FinishReason = "stop" | "length" | "refused" | "other";

export interface GenerateReply {
  readonly text: string;
  readonly finishReason: FinishReason;
  readonly usage: Usage;
  /** Undefined without a schema, or when the reply does not fit it. */
  readonly object?: unknown;
}

/** One call of a language model. Errors: see `toModelError`. */
export async function generate(request: GenerateRequest): Promise<GenerateReply> {
  const ai = await load();
  return withRetries(request, async (signal) => {
    try {
      const result = await ai.generateText({ ...callOptions(ai, request), abortSignal: signal });
      const reply = replyOf(result.text, result.finishReason, result.usage);
      return request.schema === undefined ? reply : { ...reply, object: outputOf(ai, result) };
    } catch (error) {
      if (!ai.NoObjectGeneratedError.isInstance(error)) throw error;
      return replyOf(error.text ?? "", error.finishReason ?? "other", error.usage);
    }
  });
}

/** The same, handing on the text as it comes. Repeated only while nothing was handed on. */
export async function generateStream(
  request: Omit<GenerateRequest, "schema">,
  onText: (text: string) => void,
): Promise<GenerateReply> {
  const ai = await load();
  let begun = false;
  const once = async (signal: AbortSignal) => {
    const result = ai.streamText({ ...callOptions(ai, request), abortSignal: signal, onError: () => {} });
    for await (const part of result.stream) {
      if (part.type === "error")
        throw begun ? toModelError(part.error, request.modelId, request.signal) : part.error;
      if (part.type === "abort") throw signal.reason;
      if (part.type !== "text-delta" || part.text === "") continue;
      begun = true;
      onText(part.text);
    }
    return replyOf(await result.text, await result.finishReason, await result.usage);
  };
  return withRetries(request, once);
}

export interface EmbedRequest {
  readonly model: EmbeddingModel;
  readonly modelId: string;
  readonly texts: readonly string[];
  readonly signal?: AbortSignal | undefined;
  /** As for text. Default 60,000. */
  readonly timeoutMs?: number | undefined;
  readonly retrier?: Retrier | undefined;
}

/** One call of an embedding model for texts that fit into one; vectors as the provider gave them. */
export async function embedBatch(
  request: EmbedRequest,
): Promise<{ readonly vectors: readonly (readonly number[])[]; readonly usage: Usage }> {
  const ai = await load();
  const model = ai.wrapEmbeddingModel({
    model: request.model as Ai.EmbeddingModel as Parameters<typeof ai.wrapEmbeddingModel>[0]["model"],
    middleware: { wrapEmbed: async ({ doEmbed }) => ({ ...(await doEmbed()), warnings: [] }) },
  });
  return withRetries({ timeoutMs: 60_000, ...request }, async (signal) => {
    const values = [...request.texts];
    const result = await ai.embedMany({ model, values, maxRetries: 0, abortSignal: signal });
    return { vectors: result.embeddings, usage: usageOfCall({ inputTokens: result.usage.tokens }) };
  });
}

type AiModule = typeof Ai;

const load = (): Promise<AiModule> => import("ai");

interface Call {
  readonly model: object;
  readonly modelId: string;
  readonly signal?: AbortSignal | undefined;
  readonly timeoutMs?: number | undefined;
  readonly retrier?: Retrier | undefined;
}

async function withRetries<T>(call: Call, once: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const { signal, timeoutMs = 180_000, retrier = retrierOf(call.model) } = call;
  try {
    signal?.throwIfAborted();
    return await retrier.run(() => withTimeout(once, timeoutMs, signal), signal);
  } catch (error) {
    throw toModelError(error, call.modelId, call.signal);
  }
}

/** A server that never answers is treated like a broken connection: it may answer the next time. */
async function withTimeout<T>(
  once: (signal: AbortSignal) => Promise<T>,
  timeoutMs: number,
  signal: AbortSignal | undefined,
): Promise<T> {
  const timeout = AbortSignal.timeout(timeoutMs);
  try {
    return await once(signal ? AbortSignal.any([signal, timeout]) : timeout);
  } catch (error) {
    if (!timeout.aborted || signal?.aborted || isKonteksError(error)) throw error;
    throw Object.assign(new Error(`no answer within ${timeoutMs / 1_000} s`), {
      code: "ETIMEDOUT",
      cause: error,
    });
  }
}

const retriers = new WeakMap<object, Retrier>();

function retrierOf(model: object): Retrier {
  const known = retriers.get(model) ?? createRetrier();
  retriers.set(model, known);
  return known;
}

function callOptions(ai: AiModule, request: GenerateRequest) {
  return {
    model: quiet(ai, request.model),
    instructions: instructionsOf(request.system),
    prompt: request.prompt,
    maxRetries: 0,
    ...(request.maxOutputTokens !== undefined && { maxOutputTokens: request.maxOutputTokens }),
    ...(request.schema && { output: ai.Output.object({ schema: ai.jsonSchema(request.schema) }) }),
  };
}

/** The SDK prints a model's warnings to the console; a library does not. */
function quiet(ai: AiModule, model: LanguageModel) {
  return ai.wrapLanguageModel({
    model: model as Parameters<typeof ai.wrapLanguageModel>[0]["model"],
    middleware: {
      wrapGenerate: async ({ doGenerate }) => ({ ...(await doGenerate()), warnings: [] }),
      wrapStream: async ({ doStream }) => {
        const result = await doStream();
        return { ...result, stream: result.stream.pipeThrough(withoutWarnings()) };
      },
    },
  });
}

function withoutWarnings<T extends { readonly type: string }>(): TransformStream<T, T> {
  return new TransformStream({
    transform: (part, out) => out.enqueue(part.type === "stream-start" ? { ...part, warnings: [] } : part),
  });
}

/** Cache mark: Anthropic, "Prompt caching" (`cache_control` of type ephemeral, five minutes). Others ignore it. */
function instructionsOf(system: string | readonly SystemBlock[] | undefined): Ai.SystemModelMessage[] {
  const blocks = typeof system === "string" ? [{ text: system, cache: false }] : (system ?? []);
  return blocks.map(({ text, cache }) => ({
    role: "system",
    content: text,
    ...(cache && { providerOptions: { anthropic: { cacheControl: { type: "ephemeral" } } } }),
  }));
}

function replyOf(text: string, reason: string, usage: Parameters<typeof usageOfCall>[0]): GenerateReply {
  return { text, finishReason: finishReasonOf(reason), usage: usageOfCall(usage) };
}

function finishReasonOf(reason: string): FinishReason {
  if (reason === "stop" || reason === "length") return reason;
  return reason === "content-filter" ? "refused" : "other";
}

/** A reply that does not fit its schema was paid for: it is a reply without an object, not a failed call. */
function outputOf(ai: AiModule, result: { readonly output: unknown }): unknown {
  try {
    return result.output;
  } catch (error) {
    if (ai.NoOutputGeneratedError.isInstance(error)) return undefined;
    throw error;
  }
}
