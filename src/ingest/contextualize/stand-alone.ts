import type {
  Chunk,
  ContextKey,
  ContextOptions,
  ContextPlan,
  ContextStore,
  Document,
  LanguageModel,
  StoredContext,
} from "../../spec/index.ts";
import { fingerprint } from "../../util/hash.ts";
import { byModel, type Contextualized, structurally } from "./contextualize.ts";
import { createLlmContextualizer } from "./llm.ts";
import type { StructuralOptions } from "./structural.ts";

export interface ContextualizeOptions extends StructuralOptions, ContextOptions {
  /** An AI SDK language model that writes the contexts. Default: none, the contexts are structural. */
  readonly model?: LanguageModel;
  /** Where paid contexts are kept and looked up. Default: in memory, for this call. */
  readonly contextStore?: Pick<ContextStore, "get" | "put">;
  /** Calls in flight. Default 10. */
  readonly concurrency?: number;
  /** One call for each chunk, groups, or what is sensible. Default "auto". */
  readonly plan?: ContextPlan;
  readonly signal?: AbortSignal;
  /** Told how many chunks are done. */
  readonly onProgress?: (done: number) => void;
}

/**
 * Writes the context of each chunk of a document, without an index: structural ones, or a model's. A chunk whose call
 * failed has its structural context and its reason in `failures`.
 *
 * @example
 * const document = await documentFromInput({ id: "report.md", text });
 * const { contexts } = await contextualize(document, chunkDocument(document));
 */
export async function contextualize(
  document: Document,
  chunks: readonly Chunk[],
  options: ContextualizeOptions = {},
): Promise<Contextualized> {
  const { model, contextStore = memoryContexts(), concurrency, signal, onProgress, ...others } = options;
  const { prompt, glossary, domain, plan, ...structural } = others;
  if (!model) return structurally(structural)({ document, chunks });
  const modelId = `${model.provider}:${model.modelId}`;
  const { contextualize } = createLlmContextualizer({
    model,
    modelId,
    contextStore,
    concurrency,
    ...(prompt !== undefined && { prompt }),
    ...(glossary && { glossary }),
    ...(domain !== undefined && { domain }),
    plan,
  });
  return byModel(contextualize, structural)({ document, chunks, signal, onProgress });
}

function memoryContexts(): Pick<ContextStore, "get" | "put"> {
  const contexts = new Map<string, StoredContext>();
  const keyOf = (key: ContextKey) => fingerprint([key.documentId, key.chunkHash, key.recipe]);
  return {
    get: (key) => contexts.get(keyOf(key)),
    put: (context) => void contexts.set(keyOf(context), context),
  };
}
