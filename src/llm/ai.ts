/**
 * The only file that touches the `ai` package. It is loaded on first use, so that importing konteks stays light, and
 * its retries are switched off: `retry.ts` knows what the provider asked for and shares it between calls.
 */
import type * as Ai from "ai";
import type { EmbeddingModel, LanguageModel, Usage } from "../spec/index.ts";
import { withRetries } from "./call.ts";
import { toBrokenOffError, toModelError } from "./errors.ts";
import { type PromptRequest, promptOptions } from "./prompt.ts";
import { type CitingPart, cited, type ProviderCitation } from "./provider-citations.ts";
import type { Retrier, RetryWait } from "./retry.ts";
import { usageOfCall } from "./usage.ts";

export interface GenerateRequest extends PromptRequest {
  readonly model: LanguageModel;
  /** JSON schema of the reply; `GenerateReply.object` then holds it parsed. */
  readonly schema?: Readonly<Record<string, unknown>>;
  /** Ends the waiting; a call under way ends `graceMs` later. */
  readonly signal?: AbortSignal | undefined;
  /** How long a call under way may go on after the signal; what it brings was paid for. Milliseconds, default 0. */
  readonly graceMs?: number | undefined;
  /** Longest wait for a try to end, before it counts as a broken connection. Milliseconds, default 180,000. */
  readonly timeoutMs?: number | undefined;
  /** Default: one for each model object, shared by all calls with it. */
  readonly retrier?: Retrier | undefined;
  /** Told before each wait for another try. */
  readonly onWait?: ((wait: RetryWait) => void) | undefined;
}

/** `refused`: stopped by the provider's filter or the model's refusal; `length`: cut off at `maxOutputTokens`. */
export type FinishReason = "stop" | "length" | "refused" | "other";

export interface GenerateReply {
  readonly text: string;
  readonly finishReason: FinishReason;
  readonly usage: Usage;
  /** Undefined without a schema, or when the reply does not fit it. */
  readonly object?: unknown;
  /** Citations of the provider's own making; undefined when there are none. */
  readonly citations?: readonly ProviderCitation[];
}

/** One call of a language model. Errors: see `toModelError`. */
export async function generate(request: GenerateRequest): Promise<GenerateReply> {
  const ai = await load();
  return withRetries(request, async (signal) => {
    try {
      const result = await ai.generateText({ ...callOptions(ai, request), abortSignal: signal });
      const reply = {
        ...replyOf(result.text, result.finishReason, result.usage),
        ...cited(result.content),
      };
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
    const parts: CitingPart[] = [];
    for await (const part of result.stream) {
      if (part.type === "error") throw part.error;
      if (part.type === "abort") throw signal.reason;
      if (part.type === "source") parts.push(part);
      if (part.type === "text-end") parts.push({ type: "text", providerMetadata: part.providerMetadata });
      if (part.type !== "text-delta" || part.text === "") continue;
      parts.push({ type: "text", text: part.text });
      begun = true;
      onText(part.text);
    }
    return {
      ...replyOf(await result.text, await result.finishReason, await result.usage),
      ...cited(parts),
    };
  };
  const onceWhole = (signal: AbortSignal) =>
    once(signal).catch((error: unknown) => {
      throw begun ? toBrokenOffError(error, request.modelId, request.signal) : error;
    });
  return withRetries(request, onceWhole);
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

/** One call of a reranking model. */
export interface RerankTextsRequest {
  readonly model: object;
  readonly modelId: string;
  readonly query: string;
  readonly texts: readonly string[];
  readonly signal?: AbortSignal | undefined;
  /** As for text. Default 60,000. */
  readonly timeoutMs?: number | undefined;
  readonly retrier?: Retrier | undefined;
}

/** Scores by place in `texts`, as the provider gave them. */
export async function rerankTexts(
  request: RerankTextsRequest,
): Promise<readonly { readonly index: number; readonly score: number }[]> {
  const ai = await load();
  const model = request.model as Parameters<typeof ai.rerank>[0]["model"];
  return withRetries({ timeoutMs: 60_000, ...request }, async (abortSignal) => {
    const { query, texts } = request;
    const result = await ai.rerank({ model, query, documents: [...texts], maxRetries: 0, abortSignal });
    return result.ranking.map(({ originalIndex, score }) => ({ index: originalIndex, score }));
  });
}

type AiModule = typeof Ai;

const load = (): Promise<AiModule> => import("ai");

function callOptions(ai: AiModule, request: GenerateRequest) {
  return {
    model: quiet(ai, request.model),
    ...promptOptions(request),
    maxRetries: 0,
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

/** A provider of the AI SDK that has batches; `createAnthropic(…)` and `createOpenAI(…)` give one. */
export type BatchProvider = object;

/** One request of a batch. */
export interface BatchRequest extends PromptRequest {
  /** Letters, digits, `_` and `-`, at most 64 (Anthropic, "Create a Message Batch"). */
  readonly id: string;
  /** The model's own name, without its provider. */
  readonly model: string;
  /** A tool that the model is made to call; its input is the reply's `object`. */
  readonly tool?: BatchTool | undefined;
}

export interface BatchTool {
  readonly name: string;
  readonly description: string;
  readonly schema: Readonly<Record<string, unknown>>;
}

/** A batch at its provider. `reference` is what it is found by again; it is plain JSON. */
export interface BatchState {
  readonly reference: string;
  readonly status: "pending" | "completed" | "failed";
  /** ISO 8601. */
  readonly createdAt?: string | undefined;
  readonly items?: number | undefined;
  readonly error?: string | undefined;
}

/** How one request of a batch ended. */
export type BatchItem =
  | { readonly id: string; readonly status: "succeeded"; readonly reply: GenerateReply }
  | { readonly id: string; readonly status: "failed" | "expired" | "cancelled"; readonly error: string };

interface BatchCall {
  readonly provider: BatchProvider;
  /** For messages. */
  readonly modelId: string;
  readonly signal?: AbortSignal | undefined;
  readonly retrier?: Retrier | undefined;
}

/**
 * Starts a batch. Not repeated after a failure of which it is unknown whether it reached the provider: that is found out
 * by listing. Experimental in `ai` 7, as are the four below.
 */
export async function startBatch(
  call: BatchCall & { readonly requests: readonly BatchRequest[] },
): Promise<BatchState> {
  const ai = await load();
  const requests = call.requests.map(({ id, model, tool, ...prompt }) => ({
    ...promptOptions(prompt),
    id,
    type: "text" as const,
    model,
    ...(tool && {
      tools: { [tool.name]: toolOf(ai, tool) },
      toolChoice: { type: "tool" as const, toolName: tool.name },
    }),
  }));
  const provider = call.provider as Ai.Experimental_BatchProvider;
  try {
    const abortSignal = call.signal ?? new AbortController().signal;
    return stateOf(await ai.experimental_startBatch({ provider, requests: requests as never, abortSignal }));
  } catch (error) {
    throw toModelError(error, call.modelId, call.signal);
  }
}

function toolOf(ai: AiModule, { description, schema }: BatchTool) {
  return { description, inputSchema: ai.jsonSchema(schema) };
}

export async function batchStatus(call: BatchCall & { readonly reference: string }): Promise<BatchState> {
  const ai = await load();
  const batch = JSON.parse(call.reference) as Ai.Experimental_BatchReference;
  const provider = call.provider as Ai.Experimental_BatchProvider;
  return withRetries({ ...call, model: call.provider }, async (abortSignal) =>
    stateOf({
      ...batch,
      ...(await ai.experimental_getBatchStatus({ provider, batch, maxRetries: 0, abortSignal })),
    }),
  );
}

/** The items that ended, in any order, in pieces as they come. */
export async function* batchResults(
  call: BatchCall & { readonly reference: string },
): AsyncGenerator<BatchItem> {
  const ai = await load();
  const batch = JSON.parse(call.reference) as Ai.Experimental_BatchReference;
  const provider = call.provider as Ai.Experimental_BatchProvider;
  try {
    for await (const item of ai.experimental_getBatchResults({ provider, batch })) yield itemOf(item);
  } catch (error) {
    throw toModelError(error, call.modelId, call.signal);
  }
}

/** The account's batches, newest first. */
export async function* listBatches(call: BatchCall): AsyncGenerator<BatchState> {
  const ai = await load();
  const provider = call.provider as Ai.Experimental_BatchProvider;
  let cursor: string | undefined;
  do {
    const at = cursor;
    const page = await withRetries({ ...call, model: call.provider }, (abortSignal) =>
      ai.experimental_listBatches({
        provider,
        limit: 100,
        maxRetries: 0,
        abortSignal,
        ...(at !== undefined && { cursor: at }),
      }),
    );
    yield* page.batches.map(stateOf);
    cursor = page.nextCursor;
  } while (cursor !== undefined);
}

function stateOf(batch: Ai.Experimental_Batch): BatchState {
  const { version, id, provider, status, createdAt, requestCounts, error } = batch;
  const reference = JSON.stringify({ version, id, provider });
  return { reference, status, createdAt, items: requestCounts?.total, error: error?.message };
}

function itemOf(item: Ai.Experimental_BatchItemResult): BatchItem {
  if (item.status !== "succeeded") {
    return { id: item.id, status: item.status, error: item.error?.message ?? `The request ${item.status}.` };
  }
  if (item.type !== "text") return { id: item.id, status: "failed", error: "The reply is not text." };
  const called = item.content.find((part) => part.type === "tool-call");
  const reply = replyOf(item.text, called ? "stop" : item.finishReason, item.usage);
  return { id: item.id, status: "succeeded", reply: called ? { ...reply, object: called.input } : reply };
}
