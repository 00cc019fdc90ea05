import type { TokenPrices } from "../../spec/index.ts";
import { createAsking } from "./asking.ts";
import { runBatches } from "./batch.ts";
import type { BatchRun } from "./batch-work.ts";
import type { ContextualizeInput, ModelContexts } from "./contextualize.ts";
import { type DocumentCosts, estimateDocument } from "./estimate.ts";
import type { Expectation } from "./expectation.ts";
import { createLanes } from "./lanes.ts";
import { documentHash } from "./recipe.ts";
import { informed, type LlmContextualizerOptions, settingsOf } from "./settings.ts";
import { lookUp } from "./stored.ts";
import { contextualizeDocument } from "./write-contexts.ts";

export type { LlmContextualizerOptions } from "./settings.ts";

/** Contexts by a language model. */
export interface LlmContextualizer {
  /** What an index with these contexts is made with. */
  readonly id: string;
  readonly recipe: string;
  /**
   * Writes the contexts of one document. A context is in the store as soon as it arrives. A failed call is an error for
   * its chunks only; after a failure that all calls share (a wrong key, a provider that is down) no more are made.
   * Errors: "aborted", after the calls under way have ended, and those of the store.
   */
  contextualize(input: ContextualizeInput): Promise<ModelContexts>;
  /** Finishes batches that were begun, and runs those of the documents. What they bring is in the store. */
  batches(run: BatchRun): Promise<ModelContexts>;
  /** Dollars for a million tokens; undefined where they are not known. */
  readonly price: TokenPrices | undefined;
  readonly modelId: string;
  readonly concurrency: number;
  /** Where the text goes. */
  readonly host: string;
  /** What is counted with, as far as calls have shown it. */
  expected(): Expectation;
  /** What the document's missing contexts would take, in each way of asking. */
  estimate(input: Pick<ContextualizeInput, "document" | "chunks" | "run">): DocumentCosts;
}

/** Errors: "wrong-option" for a prompt that cannot serve. */
export function createLlmContextualizer(options: LlmContextualizerOptions): LlmContextualizer {
  const settings = settingsOf(options);
  const concurrency = options.concurrency ?? 10;
  const lanes = createLanes({ concurrency });
  const oneByOne = createTurns();
  return {
    price: settings.price,
    modelId: settings.modelId,
    concurrency,
    host: options.host ?? hostOf(settings.modelId),
    id: settings.recipe.contextualizer,
    recipe: settings.recipe.id,
    expected: () => informed(settings).expected,
    // A copy under another id waits, and finds what the first one has paid for.
    contextualize: (input) =>
      oneByOne(documentHash(input.document), () => {
        const now = informed(settings);
        return contextualizeDocument(now, createAsking(now, lanes.open()), input);
      }),
    batches: (run) => runBatches(informed(settings), run),
    estimate: ({ document, chunks, run }) => {
      const { targets } = lookUp(settings, document, chunks, run);
      return estimateDocument(informed(settings), document, chunks, targets);
    },
  };
}

/** Lets work with the same name wait for each other; work with another goes on meanwhile. */
function createTurns() {
  const underWay = new Map<string, Promise<unknown>>();
  return async <T>(name: string, work: () => Promise<T>): Promise<T> => {
    while (underWay.has(name)) await underWay.get(name)?.catch(() => {});
    const running = work();
    underWay.set(name, running);
    try {
      return await running;
    } finally {
      underWay.delete(name);
    }
  };
}

const hosts: Readonly<Record<string, string>> = {
  anthropic: "api.anthropic.com",
  openai: "api.openai.com",
};

function hostOf(modelId: string): string {
  const provider = /^[\w-]*/.exec(modelId)?.[0] ?? "";
  return hosts[provider] ?? `the host of the provider "${provider}"`;
}
