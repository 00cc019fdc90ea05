/** What OpenAI's two text APIs share. */
import type { Json } from "./json.ts";
import type { ProviderError, ReadRequest } from "./types.ts";

/** "Model Spec": newer models call the system's role "developer". */
export function isSystemRole(role: string): boolean {
  return role === "system" || role === "developer";
}

export function splitMessages(
  messages: readonly { readonly role: string; readonly text: string }[],
  maxTokens: number | undefined,
): ReadRequest {
  return {
    system: messages.filter(({ role }) => isSystemRole(role)).map(({ text }) => text),
    messages: messages.filter(({ role }) => !isSystemRole(role)),
    maxTokens,
    blocks: messages.map(({ text }) => ({ text })),
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
