import { KonteksError, type ModelLoad } from "../spec/index.ts";
import type { ModelName } from "./name.ts";
import { type ProviderEntry, providers } from "./providers.ts";

export interface ResolveOptions {
  /** API keys by provider name; default: the environment variable of the provider's package. */
  readonly apiKeys?: Readonly<Record<string, string>> | undefined;
  /** Base URLs by provider name. Default: the provider's own; "openai-compatible" has none. */
  readonly baseUrls?: Readonly<Record<string, string>> | undefined;
  /** Where keys are looked for. Default `process.env`, as the provider packages do. */
  readonly env?: Readonly<Record<string, string | undefined>> | undefined;
  /** Cores, memory and kept vectors (both in MB) for models of this machine. Default: see `LocalEmbedderOptions`. */
  readonly localThreads?: number | undefined;
  readonly localMemory?: number | undefined;
  readonly localCache?: number | undefined;
  readonly onModelLoad?: ((load: ModelLoad) => void) | undefined;
}

/** What is used of a provider of the AI SDK. */
export interface LoadedProvider {
  languageModel?(model: string): unknown;
  embeddingModel?(model: string): unknown;
  textEmbeddingModel?(model: string): unknown;
  rerankingModel?(model: string): unknown;
  reranking?(model: string): unknown;
}

/** Makes the provider of a name. Errors: "no-key", "wrong-option" (no base URL), "unknown-model" (package not installed). */
export async function loadProvider(name: ModelName, options: ResolveOptions): Promise<LoadedProvider> {
  const entry = providers[name.provider];
  if (entry === undefined) throw new TypeError(`no such provider: ${name.provider}`);
  checkKey(name, entry, options);
  checkBaseUrl(name, options);
  const factory = (await importPackage(name, entry))[entry.factory];
  if (typeof factory !== "function") throw wrongPackage(name, entry);
  return factory(settingsOf(name.provider, options)) as LoadedProvider;
}

/** The package would say it too, but only after documents were read and chunked. */
function checkKey(
  name: ModelName,
  entry: ProviderEntry,
  { apiKeys, env = process.env }: ResolveOptions,
): void {
  if (entry.keyVariable === undefined) return;
  if (apiKeys?.[name.provider]?.trim() || env[entry.keyVariable]?.trim()) return;
  throw new KonteksError(
    "no-key",
    `${name.provider}:${name.model} needs an API key. Set the environment variable ${entry.keyVariable}.`,
    { facts: { provider: name.provider, variable: entry.keyVariable } },
  );
}

function checkBaseUrl({ provider, model }: ModelName, { baseUrls }: ResolveOptions): void {
  if (provider !== "openai-compatible" || baseUrls?.[provider]) return;
  throw new KonteksError(
    "wrong-option",
    `${provider}:${model} needs the base URL of its server. Give it, e.g. http://localhost:11434/v1 for Ollama.`,
    { facts: { provider, option: "baseUrls" } },
  );
}

async function importPackage(
  name: ModelName,
  entry: ProviderEntry,
): Promise<Readonly<Record<string, unknown>>> {
  try {
    return await importOf(name.provider, entry);
  } catch (cause) {
    if ((cause as { code?: unknown }).code !== "ERR_MODULE_NOT_FOUND") throw cause;
    throw new KonteksError(
      "unknown-model",
      `${name.provider}:${name.model} needs the package ${entry.package}, which is not installed. Run: npm install ${entry.package}`,
      { facts: { provider: name.provider, package: entry.package }, cause },
    );
  }
}

/** The packages that come along are named one by one, so that bundlers see them. */
function importOf(provider: string, entry: ProviderEntry): Promise<Readonly<Record<string, unknown>>> {
  if (provider === "anthropic") return import("@ai-sdk/anthropic");
  if (provider === "openai") return import("@ai-sdk/openai");
  if (provider === "openai-compatible") return import("@ai-sdk/openai-compatible");
  return import(entry.package);
}

function settingsOf(provider: string, { apiKeys, baseUrls }: ResolveOptions) {
  const apiKey = apiKeys?.[provider];
  const baseURL = baseUrls?.[provider];
  return {
    ...(apiKey && { apiKey }),
    ...(baseURL && { baseURL }),
    ...(provider === "openai-compatible" && { name: provider, supportsStructuredOutputs: true }),
  };
}

function wrongPackage(name: ModelName, entry: ProviderEntry): KonteksError {
  return new KonteksError(
    "unknown-model",
    `${entry.package} has no ${entry.factory}. Update it: npm install ${entry.package}@latest`,
    { facts: { provider: name.provider, package: entry.package } },
  );
}
