/** What OpenAI's two text APIs share. */
import { asList, asObject, asText, type Json } from "./json.ts";
import type { PromptBlock, ProviderError, ReadRequest } from "./types.ts";

/** "Model Spec": newer models call the system's role "developer". */
export function isSystemRole(role: string): boolean {
  return role === "system" || role === "developer";
}

export function splitMessages(
  messages: readonly {
    readonly role: string;
    readonly text: string;
    readonly blocks?: readonly PromptBlock[];
  }[],
  maxTokens: number | undefined,
  form: Pick<ReadRequest, "tool" | "structured"> = {},
): ReadRequest {
  return {
    ...form,
    system: messages.filter(({ role }) => isSystemRole(role)).map(({ text }) => text),
    messages: messages.filter(({ role }) => !isSystemRole(role)).map(({ role, text }) => ({ role, text })),
    maxTokens,
    blocks: messages.flatMap(({ text, blocks }) => blocks ?? [{ text }]),
  };
}

/** "Error codes": type and code by HTTP status. */
const errorTypes: Readonly<Record<number, readonly [type: string, code: string | null]>> = {
  400: ["invalid_request_error", null],
  401: ["invalid_request_error", "invalid_api_key"],
  403: ["invalid_request_error", "unsupported_country_region_territory"],
  404: ["invalid_request_error", "model_not_found"],
  429: ["requests", "rate_limit_exceeded"],
};

export function openaiError(error: ProviderError): Json {
  const [type, code] = errorTypes[error.status] ?? ["server_error", null];
  return { error: { message: error.message, type, param: null, code: error.type ?? code } };
}

/** "Prompt caching": parts of a content with an explicit breakpoint end a cacheable prefix. */
export function blocksOfContent(content: unknown): PromptBlock[] {
  if (typeof content === "string") return [{ text: content }];
  return asList(content).map((part) => {
    const { text, prompt_cache_breakpoint } = asObject(part);
    return {
      text: asText(text) ?? "",
      ...(prompt_cache_breakpoint !== undefined && { cache: "30m" as const }),
    };
  });
}
