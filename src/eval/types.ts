import type { DocumentInput, IngestOptions, Span } from "../spec/index.ts";
import type { LeftOut } from "./left-out.ts";

/** A passage that answers a question. An empty span (`start === end`) is document-level gold: any part of the document. */
export interface GoldPassage extends Span {
  readonly documentId: string;
  /** How much it is worth for nDCG; above 0. Default 1. */
  readonly grade: number;
  /** The words that stand there, when the question set gives them; they tell whether the offsets still fit. */
  readonly quote?: string;
}

/** A gold passage as a question set may give it: by its words only, until `locateGold` has found where they stand. */
export interface QuotedGold {
  readonly documentId: string;
  readonly quote: string;
  readonly grade: number;
}

export interface Question {
  readonly id: string;
  readonly text: string;
  /** Empty: not scored by the retrieval metrics. */
  readonly gold: readonly GoldPassage[];
  readonly tags: readonly string[];
  /** The corpus holds no answer; the right behaviour is to say so. */
  readonly unanswerable: boolean;
  /** Reference answers, where known. */
  readonly answers: readonly string[];
}

/** A question whose gold may still be quotes. `at` is where it stands in its file, for messages. */
export interface DraftQuestion extends Omit<Question, "gold"> {
  readonly gold: readonly (GoldPassage | QuotedGold)[];
  readonly at: string;
}

/** Questions as they were read. `documents` come with the formats that carry their corpus. */
export interface QuestionFile {
  readonly name: string;
  readonly questions: readonly DraftQuestion[];
  readonly documents?: readonly DocumentInput[];
}

/** Questions over a corpus, all gold as spans. */
export interface QuestionSet {
  readonly name: string;
  readonly questions: readonly Question[];
}

/** A question set with the corpus it is asked of. */
export interface EvaluationSet extends QuestionSet {
  readonly documents: readonly DocumentInput[];
  /**
   * Files and folders that the documents are read from anew when they are indexed, so that headings, tables and pages
   * are seen as in the user's own index. Default: `documents` are indexed as they are.
   */
  readonly sources?: readonly string[];
  /** How `sources` are read. */
  readonly reading?: IngestOptions;
  /** Files among them that cannot be read; results name them. */
  readonly leftOut?: readonly LeftOut[];
}
