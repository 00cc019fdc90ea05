import type { ForeignPassage, Turn } from "./answer.ts";
import type { LanguageModel } from "./models.ts";
import type { ScoreKind, TraceStage } from "./result.ts";

/** What corrective retrieval may do, beside the first call that answers. */
export interface CorrectOptions {
  /** Calls for grading and for a second answer. Default 3; 0: nothing is graded, and nothing corrected but an empty search. */
  readonly maxCalls?: number;
  /** US dollars for these calls, at the highest they can come to; without a price for the model it does not bind. Default: no limit. */
  readonly maxCost?: number;
  /** Milliseconds after which nothing further is begun. Default 30,000. */
  readonly maxMs?: number;
  /** Asked when the documents do not suffice (a web search, another index). */
  readonly more?: (question: string, signal: AbortSignal | undefined) => Promise<readonly ForeignPassage[]>;
}

/**
 * The least score with which passages are taken for an answer, by kind; `confidence` is how sure it is, from 0 to 1, that
 * the best sentence answers (default 0.5 without a model). See `konteks eval calibrate`.
 */
export type Thresholds = Readonly<Partial<Record<ScoreKind | "confidence", number>>>;

/** What is told while an answer is made. */
export type AnswerEvent =
  /** A step of retrieval, correction or rewriting is done. */
  | { readonly type: "step"; readonly stage: TraceStage }
  /** Text as the model writes it, without sources that do not exist. */
  | { readonly type: "text"; readonly text: string }
  /** A sentence has ended: its names, numbers and sources were looked up. Quotes follow with the answer. */
  | { readonly type: "sentence"; readonly text: string; readonly reasons: readonly string[] };

/** The provider of a model cannot serve for now, and a call is made again. */
export interface ProviderWait {
  readonly model: string;
  /** Number of the try that comes, from 2, and of the last one that would be made. */
  readonly attempt: number;
  readonly of: number;
  /** Until then. Milliseconds. */
  readonly ms: number;
  /** HTTP status; undefined when no answer came. */
  readonly status: number | undefined;
}

/** How a question is answered. */
export interface AnswerOptions {
  /** "provider:model" or an AI SDK model object. Default: the index's `model`; extractive without one. */
  readonly model?: string | LanguageModel;
  /**
   * Whether all documents go into the prompt instead of passages that were searched for. "auto" (default): when they fit
   * `wholeLimit` and nothing restricts the search. "always": an error when they do not fit. "never": passages.
   */
  readonly whole?: "auto" | "always" | "never";
  /** Tokens of all documents up to which they are sent whole; never more than the model reads. Default 200,000. */
  readonly wholeLimit?: number;
  /** Most tokens of passages in the prompt. Default 16,000. */
  readonly evidenceTokens?: number;
  /** Corrective retrieval. Default true with a model; false takes what the first search finds. */
  readonly correct?: boolean | CorrectOptions;
  /** Leave out sentences that could not be verified. Default false: they are marked. */
  readonly strict?: boolean;
  /**
   * Have the provider itself cite the passages, where it does (Anthropic); they are sent as documents of its own form, and
   * its citations go through the same check. The answer comes at once, not as it is written. Default false: the model copies
   * the words it relies on. Citations that a provider gives unasked are always taken.
   */
  readonly providerCitations?: boolean;
  readonly thresholds?: Thresholds;
  /** Milliseconds after which the question is given up with an error, whatever it waits for. Default: no limit. */
  readonly timeLimitMs?: number;
  /** Earlier turns, oldest first; a follow-up is made a question that stands alone. */
  readonly history?: readonly Turn[];
  /** With it the text of a model comes as it is written. */
  readonly onEvent?: (event: AnswerEvent) => void;
  /** Told before each wait for a provider that cannot serve; the waits are in the trace too. */
  readonly onWait?: (wait: ProviderWait) => void;
}
