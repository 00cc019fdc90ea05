import type { TokenPrices, Usage } from "../../spec/index.ts";

/** Whose protocol is spoken. */
export type SimulatedApi = "anthropic" | "openai" | "openai-compatible";

/** A request for text, in one shape for all protocols; what a script decides on. */
export interface SimulatedCall {
  readonly provider: SimulatedApi;
  readonly path: string;
  readonly model: string;
  /** System prompt, its blocks joined by a blank line. */
  readonly system: string;
  readonly messages: readonly { readonly role: string; readonly text: string }[];
  readonly maxTokens?: number | undefined;
  readonly stream: boolean;
  /** The reply has to be JSON of a schema, or the input of a tool that must be called. Default false. */
  readonly structured?: boolean | undefined;
  /** Documents that the provider was asked to cite from; only Anthropic's messages have them. */
  readonly documents?: readonly CitableDocument[] | undefined;
  /** The JSON that was sent. */
  readonly body: Readonly<Record<string, unknown>>;
}

/** How a request of a batch ends. */
export type SimulatedOutcome = "succeeded" | "failed" | "expired" | "cancelled";

/** A block of a reply, and the words that the provider cites for it. */
export interface CitingText {
  readonly text: string;
  readonly cites: readonly string[];
}

/** A document that was sent as such, with citations asked for. */
export interface CitableDocument {
  readonly title: string | undefined;
  readonly text: string;
}

export interface ScriptedReply {
  /** Default: what the simulation would have said. */
  readonly text?: string;
  /** Words that the provider cites of its own accord, for the whole text; only Anthropic's messages carry them. */
  readonly cites?: readonly string[];
  /** The text in several blocks, each with what it cites, in the place of `text` and `cites`. */
  readonly parts?: readonly CitingText[];
  /** Default "end", or "length" when the text is longer than the call's limit of tokens. */
  readonly stop?: "end" | "length" | "refusal";
  /** Milliseconds before the response begins. Default: the simulation's `latencyMs`. */
  readonly delayMs?: number;
  /** Break the connection off in the middle of the response. Default false. */
  readonly cut?: boolean;
}

/** A reply for every call, or a function of the call; undefined leaves it to the simulation. */
export type Script =
  | string
  | ScriptedReply
  | ((
      call: SimulatedCall,
    ) => string | ScriptedReply | undefined | Promise<string | ScriptedReply | undefined>);

/** What goes wrong with the next calls, before they are looked at. */
export interface Fault {
  /** HTTP status. Default 500. */
  readonly status?: number;
  /** The provider's name for the error. Default: by status, as documented. */
  readonly type?: string;
  readonly message?: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** Calls that fail. Default 1. */
  readonly times?: number;
  /** Break the connection off without an answer. Default false. */
  readonly cut?: boolean;
  /** Never answer; the caller has to give up. Default false. */
  readonly hang?: boolean;
  /** Only calls whose path ends so. Default: all. */
  readonly path?: string;
}

/** One request, written down when it arrives and completed when it ends. */
export interface LedgerEntry {
  readonly provider: SimulatedApi;
  /** As the provider publishes it, e.g. "/v1/messages". */
  readonly path: string;
  readonly model: string;
  readonly body: Readonly<Record<string, unknown>>;
  /** That it came with, e.g. to tell callers apart; undefined without one and for the requests of a batch. */
  readonly apiKey?: string | undefined;
  /** 0 while it is under way and when the connection broke without an answer. */
  readonly status: number;
  /** What the response reported; undefined for errors. */
  readonly usage?: Usage | undefined;
  /** US dollars by the price table; undefined for errors and for models without a price. */
  readonly cost?: number | undefined;
  /** The batch it was part of. */
  readonly batch?: string | undefined;
  /** Milliseconds of the simulation's clock. `begunAt`: when the response began. */
  readonly startedAt: number;
  readonly begunAt?: number | undefined;
  readonly endedAt?: number | undefined;
}

/** An entry while its request is under way. */
export type OpenEntry = { -readonly [Field in keyof LedgerEntry]: LedgerEntry[Field] };

export interface SimulatedProviderOptions {
  /** Keys that are accepted, by provider. Default: any that is not blank; "openai-compatible" needs none. */
  readonly apiKeys?: Readonly<Partial<Record<SimulatedApi, string>>>;
  /** Milliseconds before a response begins. Default 0. */
  readonly latencyMs?: number;
  /** Length of vectors. Default 256; a request's `dimensions` goes before it. */
  readonly dimensions?: number;
  /** The clock that caches expire by. Default `Date.now`. */
  readonly now?: () => number;
  /** Milliseconds until a batch has ended. Default 50. */
  readonly batchMs?: number;
  /** Share of cacheable prompts that a batch reads from the cache after the first: best effort, so fewer than all. Default 0.7. */
  readonly batchHitRate?: number;
  /** Prices by "provider:model" that go before the price table's. */
  readonly prices?: Readonly<Record<string, TokenPrices>>;
  /** Pieces of a text with their tokens, by the tokenizer of one's choice. Default: a rough count by words and signs. */
  readonly tokenPieces?: (text: string) => Iterable<TokenPiece>;
}

/** A piece of a text: where it ends, and its tokens. */
export interface TokenPiece {
  readonly end: number;
  readonly tokens: number;
}

/** A provider of models on this machine. It answers by rule and says so in every text: nothing of it is a model's. */
export interface SimulatedProvider {
  /** Base URL to give to the provider's SDK. */
  url(provider: SimulatedApi): string;
  /** All base URLs, by provider name. */
  readonly baseUrls: Readonly<Record<SimulatedApi, string>>;
  readonly ledger: readonly LedgerEntry[];
  /** Decides the replies from now on; undefined goes back to the simulation's own. */
  script(script: Script | undefined): void;
  failNext(fault: Fault): void;
  /** Decides how requests of batches end from now on; undefined: all succeed. */
  scriptBatches(outcome: ((call: SimulatedCall) => SimulatedOutcome) | undefined): void;
  close(): Promise<void>;
}

/** What a protocol writes its response from. */
export interface Reply {
  readonly id: string;
  readonly model: string;
  readonly text: string;
  /** The text in its blocks. */
  readonly parts: readonly CitingText[];
  readonly documents: readonly CitableDocument[];
  readonly stop: "end" | "length" | "refusal";
  readonly tokens: ReplyTokens;
  /** Seconds since the epoch. */
  readonly created: number;
  /** The tool that is called with the text as its input. */
  readonly tool?: string | undefined;
}

export interface ReplyTokens {
  /** Neither read from nor written to the cache. */
  readonly input: number;
  readonly output: number;
  readonly cacheRead: number;
  readonly cacheWrite: number;
}

/** A refusal to answer, in the provider's words. */
export interface ProviderError {
  readonly status: number;
  readonly type?: string | undefined;
  readonly message: string;
  readonly headers?: Readonly<Record<string, string>> | undefined;
}

/** A server-sent event. */
export interface StreamEvent {
  readonly event?: string;
  readonly data: unknown;
}

/** How one text endpoint reads a request and writes a response. */
export interface TextProtocol {
  read(body: Readonly<Record<string, unknown>>): ReadRequest | ProviderError;
  write(reply: Reply): unknown;
  stream(reply: Reply): readonly StreamEvent[];
}

export interface ReadRequest {
  readonly system: readonly string[];
  readonly messages: readonly { readonly role: string; readonly text: string }[];
  readonly maxTokens?: number | undefined;
  /** The prompt in order, with the places where caching was asked for. */
  readonly blocks: readonly PromptBlock[];
  /** The tool that must be called. */
  readonly tool?: string | undefined;
  /** JSON of a schema is wanted. */
  readonly structured?: boolean | undefined;
  readonly documents?: readonly CitableDocument[] | undefined;
}

export interface PromptBlock {
  readonly text: string;
  /** Lifetime asked for at the end of this block. */
  readonly cache?: "5m" | "30m" | "1h" | undefined;
}

export function isProviderError(value: object): value is ProviderError {
  return "status" in value && "message" in value;
}
