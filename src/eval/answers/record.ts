import { costOf, priceOf } from "../../llm/prices.ts";
import {
  type AbstainReason,
  type Answer,
  type Citation,
  NO_USAGE,
  type TokenPrices,
} from "../../spec/index.ts";
import type { Place } from "../judge.ts";
import type { CitedPlace } from "../metrics/answer.ts";

/** A citation as a result keeps it. */
export interface RecordedCitation extends CitedPlace {
  readonly quote: string;
}

/** What is kept of an answer: enough to judge it by, and little enough to keep thousands. */
export interface AnswerRecord {
  readonly kind: Answer["kind"];
  readonly text: string;
  /** Why nothing was answered; undefined when something was. */
  readonly reason?: AbstainReason;
  readonly citations: readonly RecordedCitation[];
  /** For each sentence that states something, the indexes into `citations` of what it cites. */
  readonly sentences: readonly (readonly number[])[];
  /** What the answer could rest on: the passages sent to the model, or the chunks that the extracts are cut from. */
  readonly evidence: readonly Place[];
  /** Every document was in the prompt, so that nothing was searched for. */
  readonly whole?: true;
  /** Of the model that wrote it. */
  readonly model?: string;
  /** Time until the answer was whole, in milliseconds. */
  readonly ms: number;
  /** US dollars of all its calls; undefined without a price, or without calls. */
  readonly cost?: number;
}

/** `prices` go before those of the table, by "provider:model". */
export function recordOf(
  answer: Answer,
  ms: number,
  prices?: Readonly<Record<string, TokenPrices>>,
): AnswerRecord {
  const { kind, text, citations, sentences = [], evidence = answer.hits, reason, model, usage } = answer;
  const cost = model === undefined ? undefined : costOf(usage ?? NO_USAGE, priceOf(model, prices));
  return {
    kind,
    text,
    ...(answer.abstained && reason !== undefined && { reason }),
    citations: citations.map(recordedCitation),
    sentences: sentences.filter(({ verdict }) => verdict !== "none").map((sentence) => sentence.citations),
    evidence: evidence.map(({ documentId, start, end }) => ({ documentId, start, end })),
    ...(answer.mode === "whole" && { whole: true as const }),
    ...(model !== undefined && { model }),
    ms,
    ...(cost !== undefined && { cost }),
  };
}

function recordedCitation({ documentId, start, end, quote, verified }: Citation): RecordedCitation {
  return { documentId, start, end, quote, verified };
}
