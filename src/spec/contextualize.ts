import type { Usage } from "./models.ts";

/** A document as a prompt sees it. Text of documents is data: tags that a prompt uses cannot occur in it. */
export interface PromptDocument {
  readonly title: string;
  /** The document, or the part of a long one that is shown with its outline; chunks may be numbered in it. */
  readonly text: string;
  /** English name of the document's language; undefined when unknown. */
  readonly language: string | undefined;
  /** The glossary, a line for each term; empty without one. */
  readonly glossary: string;
  /** What the user said of the documents; empty without it. */
  readonly domain: string;
}

/** How a context is asked for. What is set here is part of the context's identity, by `id`. */
export interface ContextPrompt {
  /** Changes with the words; contexts of another id are other contexts. */
  readonly id: string;
  /** The same, byte for byte, for all chunks of a document, so that the provider can keep it. */
  front(document: PromptDocument): string;
  /** What follows it: one chunk and the request. */
  chunk(chunk: string, document: PromptDocument): string;
  /** Where the front goes: a system block (default), or the user's message, before the chunk. */
  readonly place?: "system" | "user";
}

/** Calls for a document: one for each chunk, several chunks in one call, or what is sensible for the model and document. */
export type ContextPlan = "auto" | "single" | "grouped";

/** How contexts are asked for. */
export interface ContextOptions {
  /**
   * "claude" (default: document in a cached system block), "message" (one message, any model), "indonesian", a template
   * with `{{document}}` and after it `{{chunk}}` (also `{{title}}`, `{{language}}`, `{{glossary}}`, `{{domain}}`), or
   * functions.
   */
  readonly prompt?: string | ContextPrompt;
  /** Terms and their meanings, given to the model with every document. */
  readonly glossary?: Readonly<Record<string, string>>;
  /** A sentence or two on what the documents are about. */
  readonly domain?: string;
}

/** Why a context was not kept. */
export type ContextFault =
  | "blank"
  | "refusal"
  | "cut-off"
  | "too-long"
  | "copy"
  | "language"
  | "lead-in"
  | "unknown-name"
  | "unknown-number"
  /** A reply for several chunks that did not have one context for each. */
  | "form";

/** What a run of context calls came to. */
export interface ContextRunReport {
  /** US dollars; undefined without a price for the model. */
  readonly cost?: number;
  /** Contexts that did not pass the checks, by fault; each was asked for once more. */
  readonly faults: Readonly<Partial<Record<ContextFault, number>>>;
  /** Contexts written, by how they were asked for. */
  readonly written: Readonly<Partial<Record<"single" | "grouped" | "windowed", number>>>;
  /** Contexts that were there already. */
  readonly reused: number;
  /** Share of the prompt read from the provider's cache, of each document with more than one call; 0 to 1. */
  readonly cacheHitRates: readonly { readonly documentId: string; readonly rate: number }[];
}

/** Tokens by kind and price. `input` are those that are neither read from nor written to the cache. */
export interface TokenEstimate {
  readonly calls: number;
  readonly input: number;
  readonly cacheWrite: number;
  readonly cacheRead: number;
  readonly output: number;
}

/** One way of asking, priced. */
export interface ModeEstimate {
  readonly mode: "single" | "grouped" | "single, batch" | "grouped, batch";
  readonly tokens: TokenEstimate;
  /** US dollars; undefined without a price. */
  readonly cost?: number;
  readonly costPerMillion?: number;
  /** Seconds at the given concurrency; undefined for batches, which take up to 24 hours. */
  readonly seconds?: number;
}

export interface DocumentEstimate {
  readonly id: string;
  readonly chunks: number;
  /** Chunks that have no context yet. */
  readonly missing: number;
  readonly documentTokens: number;
  readonly tokens: TokenEstimate;
  readonly cost?: number;
  readonly policy: "none" | "single" | "grouped" | "windowed";
  readonly cached: boolean;
  /** Why it was chosen, in words. */
  readonly reason: string;
}

/** What contexts would cost, before any call. */
export interface ContextEstimate {
  readonly model: string;
  /** Where the text would be sent, as far as it is known: a host name. */
  readonly host: string;
  readonly documents: number;
  readonly chunks: number;
  /** Chunks whose context would be asked for, and the documents they are in. */
  readonly missing: number;
  readonly documentsSent: number;
  readonly documentTokens: number;
  /** The way that would be taken. */
  readonly tokens: TokenEstimate;
  readonly cost?: number;
  readonly costPerMillion?: number;
  /** The same plan in batches; when batches were asked for, without them. US dollars. */
  readonly costInBatch?: number;
  readonly costWithoutBatch?: number;
  readonly seconds?: number;
  /** Every way side by side. */
  readonly modes: readonly ModeEstimate[];
  readonly byDocument: readonly DocumentEstimate[];
  /** Contexts in the store that another model, prompt or glossary wrote, and that are not used. */
  readonly otherContexts: number;
  /** Requests in batches that were begun; what they bring will not be asked for again, but is counted as missing. */
  readonly requestsUnderWay: number;
  /** Share of cacheable prompts that a batch is counted to read from the cache. */
  readonly batchHitRate: number;
  /** Calls with this model whose real usage the counts go by; 0 when they go by what is generally so. */
  readonly learntFrom: number;
  /** Day of the price table; "own" for a price of the user's. Undefined without a price. */
  readonly pricesAsOf?: string;
  /** Files that could not be read, and what else is worth knowing. */
  readonly notes: readonly string[];
}

/** What was used, and what it cost. */
export interface Spending {
  readonly usage: Usage;
  /** US dollars so far in this run; undefined without a price. */
  readonly cost: number | undefined;
}
