import { fingerprint } from "../util/hash.ts";
import { modelFacts } from "./model-facts.ts";

/** A part of the prompt's front. */
export interface PromptBlock {
  readonly text: string;
  /**
   * Ask the provider to keep everything up to here, so that the next call with the same beginning reads it cheaply; for
   * five minutes (`true`, "5m") or an hour. Default false.
   */
  readonly cache?: boolean | "5m" | "1h";
  /** Other calls will begin with it too. Default false. */
  readonly shared?: boolean;
  /** The text is a document of its own that the provider is asked to cite from; only in `front`, and only Anthropic does. */
  readonly document?: { readonly title: string; readonly context: string };
}

/** Whether the provider cites documents that are sent as such: Anthropic, "Citations". */
export function citesDocuments(modelId: string): boolean {
  return /^anthropic[:.]/.test(modelId);
}

/** What is asked, without where it is sent. */
export interface PromptRequest {
  /** Name for messages, e.g. "anthropic:claude-haiku-4-5". */
  readonly modelId: string;
  readonly system?: string | readonly PromptBlock[];
  /** In the user's message, before `prompt`. */
  readonly front?: readonly PromptBlock[];
  /** The user's message. */
  readonly prompt: string;
  readonly maxOutputTokens?: number;
  /** How much a model thinks that thinks before it replies. Default: the provider's. */
  readonly reasoning?: "none" | "minimal" | "low";
}

/** The part of a request that is the same for one call and for an item of a batch. */
export function promptOptions(request: PromptRequest) {
  const { modelId, system, front = [], prompt, maxOutputTokens, reasoning } = request;
  const blocks = typeof system === "string" ? [{ text: system }] : (system ?? []);
  const instructions = blocks.map((block) => ({
    role: "system" as const,
    content: block.text,
    ...cacheMark(modelId, block),
  }));
  const content = [...front, { text: prompt }].map((block) => partOf(modelId, block));
  return {
    instructions,
    messages: [{ role: "user" as const, content }],
    ...(maxOutputTokens !== undefined && { maxOutputTokens }),
    ...(reasoning && { reasoning }),
    ...requestOptions(modelId, [...blocks, ...front], reasoning),
  };
}

/** Anthropic, "Citations": plain text, with a title and a context that are not cited from; `cache_control` beside them. */
function partOf(modelId: string, block: PromptBlock) {
  const { text, document } = block;
  const mark = cacheMark(modelId, block);
  if (document === undefined) return { type: "text" as const, text, ...mark };
  const anthropic = { citations: { enabled: true }, ...document, ...mark.providerOptions?.anthropic };
  const data: Uint8Array = new TextEncoder().encode(text);
  return { type: "file" as const, mediaType: "text/plain", data, providerOptions: { anthropic } };
}

/**
 * Cache marks: Anthropic, "Prompt caching" (`cache_control` of type ephemeral, `ttl` of five minutes or an hour); OpenAI,
 * "Prompt caching" (`prompt_cache_breakpoint`, from GPT-5.6 on; older models cache by themselves).
 */
function cacheMark(modelId: string, { cache }: PromptBlock) {
  if (!cache) return {};
  const cacheControl = { type: "ephemeral", ...(cache === "1h" && { ttl: "1h" }) };
  const openai = marksOpenai(modelId) ? { openai: { promptCacheBreakpoint: { mode: "explicit" } } } : {};
  return { providerOptions: { anthropic: { cacheControl }, ...openai } };
}

/**
 * OpenAI's only. Mode "explicit": without it the newest models also write the changing end of each prompt to the cache, at
 * a price. The key brings requests with one front to the same server ("Prompt caching", on routing), also where documents
 * begin alike. Summaries of what a model thought are left out: nobody reads them here, and accounts that are not verified
 * are refused for asking ("Reasoning models", on summaries), which the SDK does by itself.
 */
function requestOptions(modelId: string, blocks: readonly PromptBlock[], reasoning: string | undefined) {
  if (!modelId.startsWith("openai") || modelId.startsWith("openai-compatible")) return {};
  const [front] = blocks;
  const openai = {
    ...(marksOpenai(modelId) &&
      blocks.some(({ cache }) => cache) && { promptCacheOptions: { mode: "explicit" } }),
    ...(front &&
      blocks.some(({ shared }) => shared) && { promptCacheKey: fingerprint([front.text]).slice(0, 32) }),
    ...(reasoning && { reasoningSummary: null }),
  };
  return Object.keys(openai).length === 0 ? {} : { providerOptions: { openai } };
}

function marksOpenai(modelId: string): boolean {
  return modelId.startsWith("openai") && modelFacts(modelId).caching === "breakpoints";
}
