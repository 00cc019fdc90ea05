import type {
  AbstainReason,
  Answer,
  AnswerCall,
  AnswerSentence,
  Evidence,
  Hit,
  Trace,
  TraceStage,
} from "../../spec/index.ts";
import { addUsage } from "../../util/usage.ts";
import { type Extract, type ExtractInput, extractAnswer } from "./extract.ts";
import type { GeneratedAnswer } from "./generate.ts";

/** What is known of a question when its answer is made. */
export interface Asked {
  readonly question: string;
  /** Where it differs from `question`. */
  readonly standalone?: string | undefined;
  readonly hits: readonly Hit[];
  readonly trace: Trace;
}

/** An answer without a model: sentences of the documents, labelled as what they are. */
export function extractiveAnswer(
  asked: Asked,
  input: Omit<ExtractInput, "question" | "hits">,
  minCoverage?: number,
): Answer {
  const start = performance.now();
  const question = asked.standalone ?? asked.question;
  const options = minCoverage === undefined ? {} : { minCoverage };
  const extract = extractAnswer({ ...input, question, hits: asked.hits }, options);
  const facts = { coverage: extract.coverage, threshold: extract.threshold };
  const stage = { stage: "extract", ms: performance.now() - start, facts };
  if (extract.citations.length === 0) {
    const reason = asked.hits.length === 0 ? "nothing-retrieved" : "off-the-point";
    return notFound(asked, reason, [whyNotFound(asked, extract)], stage);
  }
  const { text, sentences } = listed(extract);
  return {
    ...base(asked, stage),
    kind: "extract",
    text,
    citations: extract.citations,
    sentences,
    abstained: false,
    notes: [],
  };
}

/** An extract a line, each with its number. */
function listed({ citations }: Extract): { text: string; sentences: readonly AnswerSentence[] } {
  let text = "";
  const sentences = citations.map(({ quote, number }, i): AnswerSentence => {
    if (i > 0) text += "\n";
    const start = text.length;
    text += `${quote} [${number}]`;
    return { start, end: text.length, citations: [i], verdict: "supported", reasons: [] };
  });
  return { text, sentences };
}

function whyNotFound({ hits }: Asked, extract: Extract): string {
  if (hits.length === 0) return "Nothing in the documents matches the words of the question.";
  const share = Math.round(extract.coverage * 100);
  const wanted = Math.round(extract.threshold * 100);
  return `The closest sentence fits the question to ${share} %; an answer needs ${wanted} %.`;
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
    text: "Not found in these documents.",
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
