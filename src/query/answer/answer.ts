import type {
  AbstainReason,
  Answer,
  AnswerCall,
  AnswerSentence,
  Citation,
  Evidence,
  Hit,
  Trace,
  TraceStage,
} from "../../spec/index.ts";
import { addUsage } from "../../util/usage.ts";
import type { Extract } from "./extract.ts";
import type { GeneratedAnswer } from "./generate.ts";

/** What is known of a question when its answer is made. */
export interface Asked {
  readonly question: string;
  /** Where it differs from `question`. */
  readonly standalone?: string | undefined;
  readonly hits: readonly Hit[];
  readonly trace: Trace;
}

/**
 * An answer without a model: sentences of the documents, labelled as what they are. `words` are those of each extract, for
 * people: a table's row with the cells of its header.
 */
export function extractiveAnswer(
  asked: Asked,
  extract: Extract,
  words: readonly string[],
  ms: number,
): Answer {
  const { citations, confidence, threshold, features, lacking, doubts } = extract;
  const stage = {
    stage: "extract",
    ms,
    facts: { confidence, threshold, ...(features && { features }), lacking },
  };
  if (citations.length === 0) {
    const reason = asked.hits.length === 0 ? "nothing-retrieved" : "off-the-point";
    return notFound(asked, reason, [whyNotFound(asked, extract)], stage);
  }
  return {
    ...base(asked, stage),
    kind: "extract",
    ...listed(citations, words),
    citations,
    abstained: false,
    notes: doubts,
  };
}

/** An extract a line, each with its number. */
function listed(
  citations: readonly Citation[],
  words: readonly string[],
): { readonly text: string; readonly sentences: readonly AnswerSentence[] } {
  let text = "";
  const sentences = citations.map(({ quote, number }, i): AnswerSentence => {
    if (i > 0) text += "\n";
    const start = text.length;
    text += `${words[i] ?? quote} [${number}]`;
    return { start, end: text.length, citations: [i], verdict: "supported", reasons: [] };
  });
  return { text, sentences };
}

function whyNotFound({ hits }: Asked, { confidence, threshold, lacking }: Extract): string {
  if (hits.length === 0) return "Nothing in the documents matches the words of the question.";
  const lacks =
    lacking.length === 0 ? "" : ` The nearest passage lacks ${lacking.slice(0, 4).map(quoted).join(", ")}.`;
  return `No sentence answers this well enough: the nearest one reaches ${hundredths(confidence)} of the ${hundredths(threshold)} that are needed.${lacks}`;
}

function quoted(word: string): string {
  return `"${word}"`;
}

function hundredths(share: number): string {
  return share.toFixed(2);
}

export function notFound(
  asked: Asked,
  reason: AbstainReason,
  notes: readonly string[],
  stage?: TraceStage,
): Answer {
  return {
    ...base(asked, stage),
    kind: "none",
    // Who was refused an answer does not know what the documents hold.
    text:
      reason === "refused" || reason === "blank" ? "No answer was given." : "Not found in these documents.",
    citations: [],
    sentences: [],
    abstained: true,
    reason,
    notes,
  };
}

/** How a model's answer came about. */
export interface Making {
  readonly mode: "retrieve" | "whole";
  readonly modeReason: string;
  readonly evidence: readonly Evidence[];
  readonly model: string;
  readonly calls: readonly AnswerCall[];
  readonly ms: number;
}

/** An answer that a model wrote from the evidence, or why it wrote none. */
export function generatedAnswer(asked: Asked, generated: GeneratedAnswer, making: Making): Answer {
  const { mode, modeReason, evidence, model, calls } = making;
  const { text, citations, sentences, notes, reason, cutOff } = generated;
  const supported = sentences.filter(({ verdict }) => verdict === "supported").length;
  const unsupported = sentences.filter(({ verdict }) => verdict === "unsupported").length;
  const facts = {
    model,
    mode,
    sources: evidence.length,
    citations: citations.length,
    supported,
    unsupported,
  };
  const stage = { stage: "answer", ms: making.ms, facts };
  const how = { mode, modeReason, evidence, ...costs(model, calls) };
  if (reason !== undefined) return { ...notFound(asked, reason, notes, stage), ...how };
  return {
    ...base(asked, stage),
    kind: "generated",
    text,
    citations,
    sentences,
    abstained: false,
    notes,
    ...(cutOff && { cutOff }),
    ...how,
  };
}

/** Usage and cost of all calls; the cost only when that of each is known. */
export function costs(model: string, calls: readonly AnswerCall[]): Partial<Answer> {
  if (calls.length === 0) return { model, calls };
  const usage = calls.map((call) => call.usage).reduce(addUsage);
  const known = calls.every(({ cost }) => cost !== undefined);
  const cost = calls.reduce((sum, call) => sum + (call.cost ?? 0), 0);
  return { model, calls, usage, ...(known && { cost }) };
}

function base({ question, standalone, hits, trace }: Asked, stage: TraceStage | undefined) {
  return {
    question,
    ...(standalone !== undefined && standalone !== question && { standalone }),
    hits,
    trace: stage ? [...trace, stage] : trace,
  };
}
