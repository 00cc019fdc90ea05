import type { SourcePlace, Span } from "./document.ts";
import type { Usage } from "./models.ts";

/** A passage that an answer may rest on; `text` is a slice of the document. Chunks that lie side by side are one passage. */
export interface Evidence extends SourcePlace {
  /** Its number in prompt, answer and display, from 1. */
  readonly number: number;
  readonly text: string;
  /** The chunks it is made of. */
  readonly chunks: readonly (Span & { readonly id: string })[];
  /** Contexts of the chunks, sent apart from the text and labelled as such. */
  readonly orientation: readonly string[];
  readonly language?: string;
}

/** Where a name, number or date of a sentence stands beside the quoted words. */
export interface Support {
  /** As the sentence writes it. */
  readonly fact: string;
  readonly place: "passage" | "title" | "headings" | "metadata" | "opening";
  /** The words there: the title, the heading path, `key: value`, or the line. */
  readonly words: string;
}

/** A sentence of an answer and what became of checking it. `text.slice(start, end)` of the answer. */
export interface AnswerSentence extends Span {
  /** Indexes into the answer's citations. */
  readonly citations: readonly number[];
  /**
   * `supported`: quoted words stand in what it cites, and its names, numbers and dates there or in the source's title,
   * headings, metadata or opening lines. `unsupported`: not so. `none`: states nothing (a heading, a lead-in).
   */
  readonly verdict: "supported" | "unsupported" | "none";
  /** Why it is not supported, in sentences. */
  readonly reasons: readonly string[];
}

/** Why nothing was answered. */
export type AbstainReason =
  | "nothing-retrieved"
  | "off-the-point"
  | "conflicting"
  | "unsupported"
  | "refused"
  | "blank";

/** What a call of a model was made for. */
export type CallPurpose = "answer" | "grade" | "rewrite";

export interface AnswerCall {
  readonly purpose: CallPurpose;
  readonly model: string;
  readonly usage: Usage;
  /** US dollars; undefined without a price for the model. */
  readonly cost?: number;
  readonly ms: number;
}

/** An earlier question of a conversation, with what was answered. */
export interface Turn {
  readonly question: string;
  readonly answer: string;
}

/** A passage from a source of the user's own: it is indexed nowhere, and cited like any other. */
export interface ForeignPassage {
  readonly id: string;
  readonly title: string;
  readonly uri?: string;
  readonly text: string;
}

/** How an answer came about. */
export interface AnswerFacts {
  /** `whole`: all documents were in the prompt. */
  readonly mode?: "retrieve" | "whole";
  /** Why this mode, in a sentence. */
  readonly modeReason?: string;
  /** The question that was searched for and answered, where it is not the one that was typed. */
  readonly standalone?: string;
  readonly sentences?: readonly AnswerSentence[];
  /** What was sent to the model, by number; citations point into it. */
  readonly evidence?: readonly Evidence[];
  readonly reason?: AbstainReason;
  readonly calls?: readonly AnswerCall[];
  /** US dollars of all calls; undefined without a price. */
  readonly cost?: number;
  /** The model stopped at its limit: the text is not whole. */
  readonly cutOff?: boolean;
}
