import type { Budget } from "../../llm/budget.ts";
import type {
  Chunk,
  Context,
  ContextFault,
  ContextRunReport,
  Document,
  Spending,
  Usage,
} from "../../spec/index.ts";
import { NO_USAGE } from "../../spec/index.ts";
import { type StructuralOptions, structuralContext } from "./structural.ts";

/** One context a chunk, in order; a chunk whose context is missing has its reason in `failures`, by chunk id. */
export interface Contextualized {
  readonly contexts: readonly Context[];
  readonly failures: Readonly<Record<string, string>>;
  readonly usage: Usage;
  /** What a model's contexts came to. */
  readonly report?: ContextRunReport;
  readonly warnings?: readonly string[];
}

/** What the documents of one run share. */
export interface ContextRun {
  readonly budget: Budget;
  /** Whether the model has a price, so that the budget says what was spent. Default false. */
  readonly priced?: boolean | undefined;
  /** No call is made; what is not in the store is missing, for this reason. */
  storedOnly?: string | undefined;
  /** Ask anew for contexts that were made from an older state of their document. */
  readonly renewStale?: boolean | undefined;
  readonly onSpending?: ((spending: Spending) => void) | undefined;
  /** Why no further call is made, once that is so. */
  stopped: string | undefined;
  /** Documents given up one after another because the provider could not be reached or could not serve. */
  givenUp?: number;
  /** Replies in a row, about whatever documents, that hold no context. */
  empty?: number;
}

export interface ContextualizeInput {
  readonly document: Document;
  readonly chunks: readonly Chunk[];
  readonly signal?: AbortSignal | undefined;
  /** Told how many of the chunks are done, whatever came of them. */
  readonly onProgress?: ((done: number) => void) | undefined;
  readonly run?: ContextRun | undefined;
}

/** Situates the chunks of one document. */
export type Contextualize = (input: ContextualizeInput) => Promise<Contextualized>;

/** Why a chunk has no context. */
export interface ContextFailure {
  readonly error: string;
  readonly fault?: ContextFault | undefined;
}

/** What a model's contextualizer gives: one for each chunk, in order. */
export interface ModelContexts {
  readonly contexts: readonly (Context | ContextFailure)[];
  /** Of the calls that were answered. */
  readonly usage: Usage;
  readonly report: ContextRunReport;
  readonly warnings: readonly string[];
}

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
export function byModel(
  model: (input: ContextualizeInput) => Promise<ModelContexts>,
  options: StructuralOptions = {},
): Contextualize {
  return async (input) => {
    const { contexts, ...rest } = await model(input);
    const failures: Record<string, string> = {};
    const complete = input.chunks.map((chunk, i) => {
      const context = contexts[i] ?? { error: "the model gave no context" };
      if (!("error" in context)) return context;
      failures[chunk.id] = `context: ${context.error}`;
      return structuralContext(input.document, chunk, options);
    });
    return { contexts: complete, failures, ...rest };
  };
}
