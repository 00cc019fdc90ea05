import type { Usage } from "../spec/index.ts";

/** The usage of the AI SDK (`LanguageModelUsage` of `ai` 7), as far as it is counted here. */
export interface ReportedUsage {
  readonly inputTokens?: number | undefined;
  readonly outputTokens?: number | undefined;
  readonly inputTokenDetails?:
    | { readonly cacheReadTokens?: number | undefined; readonly cacheWriteTokens?: number | undefined }
    | undefined;
}

/**
 * One call's usage. `inputTokens` are all tokens of the prompt; those read from and written to the provider's cache are
 * among them, and counted apart as well because they have prices of their own.
 */
export function usageOfCall(reported: ReportedUsage | undefined): Usage {
  return {
    calls: 1,
    inputTokens: count(reported?.inputTokens),
    outputTokens: count(reported?.outputTokens),
    cacheReadTokens: count(reported?.inputTokenDetails?.cacheReadTokens),
    cacheWriteTokens: count(reported?.inputTokenDetails?.cacheWriteTokens),
  };
}

/** Providers leave fields out, and the SDK hands on NaN for an embedding without usage. */
function count(value: number | undefined): number {
  return value !== undefined && Number.isFinite(value) ? value : 0;
}
