import type { IncomingHttpHeaders } from "node:http";
import type { Route } from "./routes.ts";
import type { ProviderError, SimulatedApi } from "./types.ts";

/** Whether a request is let in: key, version header, model. */
export function refusalOf(
  route: Route,
  headers: IncomingHttpHeaders,
  model: string | undefined,
  apiKeys: Readonly<Partial<Record<SimulatedApi, string>>>,
): ProviderError | undefined {
  return keyRefusal(route.provider, headers, apiKeys[route.provider]) ?? modelRefusal(route, model);
}

/** Each provider has a header of its own for it. */
export function keyOf(provider: SimulatedApi, headers: IncomingHttpHeaders): string | undefined {
  const key =
    provider === "anthropic" ? headers["x-api-key"] : headers.authorization?.replace(/^Bearer /, "");
  return key?.toString();
}

function keyRefusal(
  provider: SimulatedApi,
  headers: IncomingHttpHeaders,
  wanted: string | undefined,
): ProviderError | undefined {
  const given = keyOf(provider, headers);
  const right = wanted === undefined ? Boolean(given) || provider === "openai-compatible" : given === wanted;
  if (provider === "anthropic") {
    if (!right) return { status: 401, message: "invalid x-api-key" };
    // "Versions": the header is required.
    if (!headers["anthropic-version"])
      return { status: 400, message: "anthropic-version: header is required" };
    return undefined;
  }
  return right ? undefined : { status: 401, message: `Incorrect API key provided: ${hidden(given)}.` };
}

/** OpenAI shows the ends of the key in its sentence. */
function hidden(text = ""): string {
  return text.length < 8 ? "''" : `${text.slice(0, 3)}-${"*".repeat(8)}${text.slice(-4)}`;
}

const ownModels: Readonly<Record<SimulatedApi, RegExp>> = {
  anthropic: /^claude-/,
  openai: /^(gpt-|chatgpt-|o\d|text-embedding-)/,
  "openai-compatible": /./,
};

function modelRefusal({ provider, protocol }: Route, model: string | undefined): ProviderError | undefined {
  if (model === undefined) return { status: 400, message: "model: Field required" };
  const embeds = /embed/.test(model);
  const known = ownModels[provider].test(model) && (provider === "openai-compatible" || embeds === !protocol);
  if (known) return undefined;
  const message =
    provider === "anthropic"
      ? `model: ${model}`
      : `The model \`${model}\` does not exist or you do not have access to it.`;
  return { status: 404, message };
}
