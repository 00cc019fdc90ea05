import { anthropicMessages } from "./anthropic.ts";
import { openaiChat } from "./openai-chat.ts";
import { openaiResponses } from "./openai-responses.ts";
import type { SimulatedApi, TextProtocol } from "./types.ts";

export interface Route {
  readonly provider: SimulatedApi;
  /** As the provider publishes it. */
  readonly path: string;
  /** Undefined for embeddings. */
  readonly protocol?: TextProtocol;
}

/** First part of the path on this server; the rest is the provider's own. */
export const prefixes: Readonly<Record<SimulatedApi, string>> = {
  anthropic: "/anthropic",
  openai: "/openai",
  "openai-compatible": "/openai-compatible",
};

const routes: readonly Route[] = [
  { provider: "anthropic", path: "/v1/messages", protocol: anthropicMessages },
  { provider: "openai", path: "/v1/responses", protocol: openaiResponses },
  { provider: "openai", path: "/v1/chat/completions", protocol: openaiChat },
  { provider: "openai", path: "/v1/embeddings" },
  { provider: "openai-compatible", path: "/v1/chat/completions", protocol: openaiChat },
  { provider: "openai-compatible", path: "/v1/embeddings" },
];

export function routeOf(url: string): Route | undefined {
  const { pathname } = new URL(url, "http://localhost");
  return routes.find(({ provider, path }) => pathname === prefixes[provider] + path);
}

/** Who is asked, also where there is no such path. */
export function providerOf(url: string): SimulatedApi {
  if (url.startsWith(`${prefixes["openai-compatible"]}/`)) return "openai-compatible";
  return url.startsWith(`${prefixes.openai}/`) ? "openai" : "anthropic";
}
