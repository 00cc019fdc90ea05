import { KonteksError, type Reranker } from "../../spec/index.ts";
import { loadProvider, type ResolveOptions } from "../load-provider.ts";
import { createLocalReranker, isLocalName } from "../local/index.ts";
import { parseModelName } from "../name.ts";
import { createBuiltInReranker } from "./built-in.ts";
import { rerankerFromEndpoint } from "./endpoint.ts";
import { type RerankingModel, rerankerFromModel } from "./sdk.ts";

/**
 * The reranker of a name: "built-in", "local:model" (a cross-encoder on this machine), "provider:model" ("cohere:rerank-v3.5", "voyage:rerank-2.5"), or
 * "openai-compatible:model" for a server with a `/rerank` endpoint, whose base URL is given. An object is handed back; an
 * AI SDK reranking model is wrapped. Nothing is sent. Errors: "unknown-model", "no-key", "wrong-option" (no base URL).
 */
export async function resolveReranker(
  wanted: string | Reranker | RerankingModel,
  options: ResolveOptions = {},
): Promise<Reranker> {
  if (typeof wanted !== "string") return "doRerank" in wanted ? rerankerFromModel(wanted) : wanted;
  if (wanted === "built-in") return createBuiltInReranker();
  if (isLocalName(wanted)) return createLocalReranker(wanted, options);
  const name = parseModelName(wanted);
  if (name.provider === "openai-compatible") return endpointOf(name.model, wanted, options);
  const provider = await loadProvider(name, options);
  const model = modelOf(() => provider.rerankingModel?.(name.model) ?? provider.reranking?.(name.model));
  if (model === undefined) throw noReranking(wanted);
  return rerankerFromModel(model as RerankingModel, wanted);
}

function endpointOf(model: string, wanted: string, { baseUrls, apiKeys }: ResolveOptions): Reranker {
  const baseUrl = baseUrls?.["openai-compatible"];
  if (!baseUrl) {
    throw new KonteksError(
      "wrong-option",
      `${wanted} needs the base URL of its server. Give it in baseUrls, e.g. http://localhost:8000/v1 for vLLM.`,
      { facts: { option: "baseUrls" } },
    );
  }
  return rerankerFromEndpoint({ baseUrl, model, apiKey: apiKeys?.["openai-compatible"] });
}

function modelOf(load: () => unknown): unknown {
  try {
    return load();
  } catch {
    // A provider without such models throws when it is asked for one.
    return undefined;
  }
}

function noReranking(wanted: string): KonteksError {
  return new KonteksError(
    "unknown-model",
    `${wanted} is no reranking model. Use one that is, e.g. cohere:rerank-v3.5, or "built-in".`,
    { facts: { name: wanted } },
  );
}
