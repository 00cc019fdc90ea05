import type { Embedder, EmbeddingModel, LanguageModel } from "../spec/index.ts";
import { KonteksError } from "../spec/index.ts";
import { embedderFromModel, modelIdOf } from "./embedder.ts";
import { type LoadedProvider, loadProvider, type ResolveOptions } from "./load-provider.ts";
import { createLocalEmbedder, isLocalName } from "./local/index.ts";
import { type ModelName, parseModelName } from "./name.ts";

export type { ResolveOptions } from "./load-provider.ts";

/** A model and the name it goes by in messages, records and identities. */
export interface ResolvedModel {
  readonly id: string;
  readonly model: LanguageModel;
}

/**
 * The language model of a name ("anthropic:claude-haiku-4-5", "openai:gpt-4o", "openai-compatible:qwen3:8b", …) or of a
 * model object. Nothing is sent. Errors: "unknown-model", "no-key", "wrong-option" (no base URL).
 */
export async function resolveLanguageModel(
  nameOrModel: string | LanguageModel,
  options: ResolveOptions = {},
): Promise<ResolvedModel> {
  if (typeof nameOrModel !== "string") return { id: modelIdOf(nameOrModel), model: nameOrModel };
  const name = parseModelName(nameOrModel);
  const provider = await loadProvider(name, options);
  return { id: idOf(name), model: provider.languageModel?.(name.model) as LanguageModel };
}

/** The embedder of a name ("openai:text-embedding-3-small", "local:multilingual-e5-small", …), of an AI SDK model object, or the embedder itself. Errors as above. */
export async function resolveEmbedder(
  nameOrModel: string | EmbeddingModel | Embedder,
  options: ResolveOptions = {},
): Promise<Embedder> {
  if (typeof nameOrModel !== "string")
    return "doEmbed" in nameOrModel ? embedderFromModel(nameOrModel) : nameOrModel;
  if (isLocalName(nameOrModel)) return createLocalEmbedder(nameOrModel, options);
  const name = parseModelName(nameOrModel);
  return embedderFromModel(embeddingModelOf(await loadProvider(name, options), name), idOf(name));
}

function embeddingModelOf(provider: LoadedProvider, name: ModelName): EmbeddingModel {
  try {
    const model = provider.embeddingModel?.(name.model) ?? provider.textEmbeddingModel?.(name.model);
    if (model !== undefined) return model as EmbeddingModel;
  } catch (error) {
    throw noEmbeddings(name, error);
  }
  throw noEmbeddings(name);
}

function noEmbeddings(name: ModelName, cause?: unknown): KonteksError {
  return new KonteksError(
    "unknown-model",
    `${name.provider} has no embedding models, so ${idOf(name)} cannot embed. Use one that has, e.g. openai:text-embedding-3-small.`,
    { facts: { name: idOf(name) }, cause },
  );
}

function idOf({ provider, model }: ModelName): string {
  return `${provider}:${model}`;
}
