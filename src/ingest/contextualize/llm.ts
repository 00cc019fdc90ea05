import pLimit, { type LimitFunction } from "p-limit";
import { generate } from "../../llm/ai.ts";
import { abortedError, isFatalForModel, isOutage, isTooLong } from "../../llm/errors.ts";
import type { PromptBlock as SystemBlock } from "../../llm/prompt.ts";
import type {
  Chunk,
  Context,
  ContextKey,
  ContextStore,
  Document,
  LanguageModel,
  Usage,
} from "../../spec/index.ts";
import { NO_USAGE } from "../../spec/index.ts";
import { fingerprint, sha256 } from "../../util/hash.ts";
import { addUsage } from "../../util/usage.ts";
import { contextOfReply } from "./llm-reply.ts";
import { chunkPrompt, documentBlock, promptVersion } from "./prompt.ts";

export interface LlmContextualizerOptions {
  readonly model: LanguageModel;
  /** Part of every context's identity, e.g. "anthropic:claude-haiku-4-5". */
  readonly modelId: string;
  /** Where contexts are kept; what is there is not asked for again. */
  readonly contextStore: Pick<ContextStore, "get" | "put">;
  /** Calls in flight, over all documents. Default 10. */
  readonly concurrency?: number | undefined;
  /** Longest context, in the model's tokens. Default 200. */
  readonly maxTokens?: number | undefined;
}

export interface LlmContextualizeInput {
  readonly document: Document;
  readonly chunks: readonly Chunk[];
  readonly signal?: AbortSignal | undefined;
  /** Told how many of the chunks are done, whatever came of them. */
  readonly onProgress?: ((done: number) => void) | undefined;
}

/** Why a chunk has no context. */
export interface ContextFailure {
  readonly error: string;
}

export interface LlmContexts {
  /** One for each chunk, in order. */
  readonly contexts: readonly (Context | ContextFailure)[];
  /** Of the calls that were answered. */
  readonly usage: Usage;
}

export type ContextualizeWithModel = (input: LlmContextualizeInput) => Promise<LlmContexts>;

/** What an index with these contexts is made with. */
export function llmContextualizerId(modelId: string): string {
  return `llm:${modelId}:${promptVersion}`;
}

/**
 * Contexts by a language model, one call a chunk. A context is in the store as soon as it arrives. A failed call is an
 * error for its chunk only; after a failure that all calls of the document share (a wrong key, a document too long, a
 * provider that is down) no more are made for it. Errors: "aborted", and those of the store.
 */
export function createLlmContextualizer(options: LlmContextualizerOptions): ContextualizeWithModel {
  const limit = pLimit(options.concurrency ?? 10);
  return (input) => contextualizeDocument({ ...options, limit, ...input, outages: 0, fatal: undefined });
}

/** What the calls of a document share. */
interface Run extends LlmContextualizerOptions, LlmContextualizeInput {
  readonly limit: LimitFunction;
  /** Calls that failed because the provider was down. */
  outages: number;
  /** Why no further call can succeed. */
  fatal: string | undefined;
}

/** A document's calls are given up after this many were lost to outages, each tried several times. */
const mostOutages = 3;

/** A call that was made: its usage, and the context or failure that came of it. */
interface Call {
  readonly usage: Usage;
  readonly result: Context | ContextFailure;
}

async function contextualizeDocument(run: Run): Promise<LlmContexts> {
  const { document, chunks, onProgress } = run;
  const keys = keysOf(run);
  const contexts: (Context | ContextFailure | undefined)[] = keys.map((key) => storedContext(run, key));
  const missing = keys.flatMap((key, index) => {
    const chunk = chunks[index];
    return chunk && contexts[index] === undefined ? [{ chunk, key, index }] : [];
  });
  let done = chunks.length - missing.length;
  let usage = NO_USAGE;
  if (done > 0) onProgress?.(done);

  const system = [documentBlock(document)];
  const writeOne = async ({ chunk, key, index }: (typeof missing)[number]) => {
    const call = await callModel(run, system, chunk, key);
    contexts[index] = call.result;
    usage = addUsage(usage, call.usage);
    done += 1;
    onProgress?.(done);
    return !("error" in call.result);
  };
  const rest = await warmCache(missing, (one) => run.limit(() => writeOne(one)));
  await run.limit.map(rest, writeOne);
  return { contexts: contexts.map((context) => context ?? { error: "No context was made." }), usage };
}

/**
 * One call at a time until one has succeeded: the provider's cache can be read only once the response that writes it
 * has begun (Anthropic, "Prompt caching"), so that ten at once would all pay for writing it. Gives what is left.
 */
async function warmCache<T>(items: readonly T[], run: (item: T) => Promise<boolean>): Promise<readonly T[]> {
  for (const [index, item] of items.entries()) if (await run(item)) return items.slice(index + 1);
  return [];
}

async function callModel(
  run: Run,
  system: readonly SystemBlock[],
  chunk: Chunk,
  key: ContextKey,
): Promise<Call> {
  const { model, modelId, signal, maxTokens = 200 } = run;
  if (signal?.aborted) throw abortedError(signal);
  if (run.fatal !== undefined) return { usage: NO_USAGE, result: { error: run.fatal } };
  const prompt = chunkPrompt(chunk.text, run.document.language);
  const request = { model, modelId, system, prompt, maxOutputTokens: maxTokens, signal };
  const reply = await generate(request).catch((error: unknown) => failureOf(run, error));
  if ("error" in reply) return { usage: NO_USAGE, result: reply };
  const context = contextOfReply(reply, maxTokens);
  if ("error" in context) return { usage: reply.usage, result: context };
  try {
    keep(run, key, context.text);
  } catch (error) {
    // What cannot be kept is not paid for.
    run.fatal = "Contexts could not be saved.";
    throw error;
  }
  return { usage: reply.usage, result: { kind: "llm", text: context.text, model: modelId } };
}

function failureOf(run: Run, error: unknown): ContextFailure {
  if (run.signal?.aborted) throw abortedError(run.signal);
  const sentence = error instanceof Error ? error.message : String(error);
  if (isOutage(error)) run.outages += 1;
  if (isFatalForModel(error) || isTooLong(error) || run.outages >= mostOutages) run.fatal = sentence;
  return { error: sentence };
}

function storedContext(run: Run, key: ContextKey): Context | undefined {
  const stored = run.contextStore.get(key);
  return stored && { kind: "llm", text: stored.text, model: stored.model };
}

function keep({ contextStore, modelId, document }: Run, key: ContextKey, text: string): void {
  contextStore.put({
    ...key,
    text,
    model: modelId,
    documentHash: sha256(document.text),
    createdAt: new Date().toISOString(),
  });
}

/** Equal chunks of a document are told apart by their order, so that an edit elsewhere changes no key. */
function keysOf({ document, chunks, modelId }: Run): readonly ContextKey[] {
  const recipe = fingerprint(["context", modelId, promptVersion]);
  const seen = new Map<string, number>();
  return chunks.map(({ text }) => {
    const before = seen.get(text) ?? 0;
    seen.set(text, before + 1);
    return { documentId: document.id, chunkHash: fingerprint([text, String(before)]), recipe };
  });
}
