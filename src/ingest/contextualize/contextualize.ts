import type { Chunk, Context, Document, Usage } from "../../spec/index.ts";
import { NO_USAGE } from "../../spec/index.ts";
import { type StructuralOptions, structuralContext } from "./structural.ts";

/** One context a chunk, in order; a chunk whose context is missing has its reason in `failures`, by chunk id. */
export interface Contextualized {
  readonly contexts: readonly Context[];
  readonly failures: Readonly<Record<string, string>>;
  readonly usage: Usage;
}

export interface ContextualizeInput {
  readonly document: Document;
  readonly chunks: readonly Chunk[];
  readonly signal?: AbortSignal | undefined;
  readonly onProgress?: ((done: number) => void) | undefined;
}

/** Situates the chunks of one document. */
export type Contextualize = (input: ContextualizeInput) => Promise<Contextualized>;

/** What a model's contextualizer gives for a chunk. */
export type ModelContexts = (
  input: ContextualizeInput,
) => Promise<{ readonly contexts: readonly (Context | { readonly error: string })[]; readonly usage: Usage }>;

/** No context: chunks stand alone. */
export const withoutContext: Contextualize = async ({ chunks }) => ({
  contexts: chunks.map(() => ({ kind: "none", text: "" })),
  failures: {},
  usage: NO_USAGE,
});

/** Contexts from what the document says of itself. */
export function structurally(options: StructuralOptions = {}): Contextualize {
  return async ({ document, chunks }) => ({
    contexts: chunks.map((chunk) => structuralContext(document, chunk, options)),
    failures: {},
    usage: NO_USAGE,
  });
}

/** Contexts by a model; where a call failed, the chunk keeps its structural context and the failure is named. */
export function byModel(model: ModelContexts, options: StructuralOptions = {}): Contextualize {
  return async (input) => {
    const { contexts, usage } = await model(input);
    const failures: Record<string, string> = {};
    const complete = input.chunks.map((chunk, i) => {
      const context = contexts[i] ?? { error: "the model gave no context" };
      if (!("error" in context)) return context;
      failures[chunk.id] = `context: ${context.error}`;
      return structuralContext(input.document, chunk, options);
    });
    return { contexts: complete, failures, usage };
  };
}
