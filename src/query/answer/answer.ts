import type { Answer, Citation, SearchResult, TraceStage, Usage } from "../../spec/index.ts";
import { type Extract, type ExtractInput, extractAnswer } from "./extract.ts";

/** An answer without a model: sentences of the documents, labelled as what they are. */
export function extractiveAnswer(
  result: SearchResult,
  input: Omit<ExtractInput, "question" | "hits">,
): Answer {
  const start = performance.now();
  const extract = extractAnswer({ ...input, question: result.query, hits: result.hits });
  const stage = { stage: "extract", ms: performance.now() - start, facts: { coverage: extract.coverage } };
  if (extract.citations.length === 0) return notFound(result, whyNotFound(result, extract), stage);
  return {
    question: result.query,
    kind: "extract",
    text: extract.citations.map((citation) => `${citation.quote} [${citation.number}]`).join("\n"),
    citations: extract.citations,
    hits: result.hits,
    abstained: false,
    notes: [],
    trace: [...result.trace, stage],
  };
}

function whyNotFound(result: SearchResult, extract: Extract): string {
  if (result.hits.length === 0) return "Nothing in the documents matches the words of the question.";
  const share = Math.round(extract.coverage * 100);
  const wanted = Math.round(extract.threshold * 100);
  return `The closest sentence holds ${share} % of what the question asks for; an answer needs ${wanted} %.`;
}

export function notFound(result: SearchResult, reason: string, stage?: TraceStage): Answer {
  return {
    question: result.query,
    kind: "none",
    text: "Not found in these documents.",
    citations: [],
    hits: result.hits,
    abstained: true,
    notes: [reason],
    trace: stage ? [...result.trace, stage] : result.trace,
  };
}

/** What a model's answer step gives. */
export interface GeneratedAnswer {
  readonly text: string;
  readonly citations: readonly Citation[];
  readonly notes: readonly string[];
  readonly usage: Usage;
  readonly abstained: boolean;
}

/** An answer that a model wrote from the hits. */
export function generatedAnswer(
  result: SearchResult,
  generated: GeneratedAnswer,
  model: string,
  ms: number,
): Answer {
  const stage = { stage: "generate", ms, facts: { model, citations: generated.citations.length } };
  if (generated.abstained) {
    const reason = generated.notes[0] ?? "The model found no answer in the passages it was given.";
    return { ...notFound(result, reason, stage), model, usage: generated.usage };
  }
  return {
    question: result.query,
    kind: "generated",
    text: generated.text,
    citations: generated.citations,
    hits: result.hits,
    abstained: false,
    notes: generated.notes,
    model,
    usage: generated.usage,
    trace: [...result.trace, stage],
  };
}
