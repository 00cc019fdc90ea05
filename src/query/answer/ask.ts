import type {
  Answer,
  AskOptions,
  DocumentRecord,
  Evidence,
  Hit,
  LanguageModel,
  SearchOptions,
  SearchResult,
  StoredChunk,
  TraceStage,
} from "../../spec/index.ts";
import { type Asked, extractiveAnswer, generatedAnswer } from "./answer.ts";
import { type Caller, createCaller } from "./caller.ts";
import { buildEvidence } from "./evidence.ts";
import { type GeneratedAnswer, generateAnswer } from "./generate.ts";
import { openingOf, type SourceFacts } from "./grounds.ts";
import { joinedQuestion, standaloneQuestion } from "./rewrite.ts";
import { type Corpus, decideWhole } from "./whole.ts";

/** What answering needs of an index and its models. */
export interface AskPorts {
  search(question: string, options: SearchOptions, defaultK: number): Promise<SearchResult>;
  languages(): Promise<readonly string[]>;
  /** Rarity of the question's terms in the index. */
  idf(question: string): Promise<(term: string) => number>;
  documents(): Promise<Corpus["documents"]>;
  document(id: string): Promise<DocumentRecord | undefined>;
  chunks(documentId: string): Promise<readonly StoredChunk[]>;
  /** The model that was asked for, or the index's own; undefined without one. */
  model(
    wanted: AskOptions["model"],
  ): Promise<{ readonly id: string; readonly model: LanguageModel } | undefined>;
}

/** Chunks an answer is made from; of the published depths 20 found more than 10 and 5. */
const EVIDENCE_CHUNKS = 20;

/** Answers a question from the index: with the model's words and checked citations, or with extracts. */
export async function ask(ports: AskPorts, question: string, options: AskOptions = {}): Promise<Answer> {
  options.signal?.throwIfAborted();
  const named = await ports.model(options.model);
  if (named === undefined) return askExtractive(ports, question, options);
  return askModel(ports, question, options, createCaller(named.model, named.id));
}

async function askExtractive(ports: AskPorts, question: string, options: AskOptions): Promise<Answer> {
  const standalone = joinedQuestion(question, options.history ?? []);
  const result = await ports.search(standalone, searchOptions(options), EVIDENCE_CHUNKS);
  const [languages, idf] = await Promise.all([ports.languages(), ports.idf(standalone)]);
  const asked = { question, standalone, hits: result.hits, trace: result.trace };
  return extractiveAnswer(asked, { languages, idf }, options.thresholds?.coverage);
}

async function askModel(
  ports: AskPorts,
  question: string,
  options: AskOptions,
  caller: Caller,
): Promise<Answer> {
  const steps = createSteps(options);
  const standalone = await steps.standalone(question, caller);
  const corpus = { documents: await ports.documents(), document: ports.document, chunks: ports.chunks };
  const whole = await decideWhole(corpus, caller.modelId, wholeOf(options), options.wholeLimit);
  const asked = { question, standalone };
  if (whole.evidence) {
    const making = { mode: "whole" as const, modeReason: whole.reason, evidence: whole.evidence };
    return answerFrom(ports, { ...asked, hits: [], trace: steps.trace }, making, caller, options);
  }
  const result = await ports.search(standalone, searchOptions(options), EVIDENCE_CHUNKS);
  const evidence = await evidenceOf(ports, result.hits, options);
  const making = { mode: "retrieve" as const, modeReason: whole.reason, evidence };
  const trace = [...steps.trace, ...result.trace];
  return answerFrom(ports, { ...asked, hits: result.hits, trace }, making, caller, options);
}

/** Who restricts or tunes the search wants a search. */
function wholeOf(options: AskOptions): "auto" | "always" | "never" {
  const { whole = "auto", filter, k, vector, mode } = options;
  const restricted = [filter, k, vector, mode].some((value) => value !== undefined);
  return whole === "auto" && restricted ? "never" : whole;
}

function searchOptions(options: AskOptions): SearchOptions {
  const { k, mode, candidates, weights, rrfK, filter, vector, signal } = options;
  const given = { k, mode, candidates, weights, rrfK, filter, vector, signal };
  return Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined));
}

interface Steps {
  readonly trace: TraceStage[];
  standalone(question: string, caller: Caller): Promise<string>;
}

function createSteps(options: AskOptions): Steps {
  const trace: TraceStage[] = [];
  return {
    trace,
    async standalone(question, caller) {
      if (options.history === undefined || options.history.length === 0) return question;
      const start = performance.now();
      const standalone = await standaloneQuestion(question, options.history, caller, options.signal);
      const stage = { stage: "rewrite", ms: performance.now() - start, facts: { standalone } };
      trace.push(stage);
      options.onEvent?.({ type: "step", stage });
      return standalone;
    },
  };
}

async function evidenceOf(
  ports: AskPorts,
  hits: readonly Hit[],
  options: AskOptions,
): Promise<readonly Evidence[]> {
  const ids = [...new Set(hits.map(({ documentId }) => documentId))];
  const records = await Promise.all(ids.map((id) => ports.document(id)));
  const texts = new Map(
    records.flatMap((record) => (record ? [[record.document.id, record.document.text]] : [])),
  );
  const maxTokens = options.evidenceTokens;
  return buildEvidence(hits, { maxTokens, textOf: (id) => texts.get(id) }).evidence;
}

async function answerFrom(
  ports: AskPorts,
  asked: Asked,
  making: {
    readonly mode: "retrieve" | "whole";
    readonly modeReason: string;
    readonly evidence: readonly Evidence[];
  },
  caller: Caller,
  options: AskOptions,
): Promise<Answer> {
  const start = performance.now();
  const generated: GeneratedAnswer = await generateAnswer({
    question: asked.standalone ?? asked.question,
    evidence: making.evidence,
    sourceFacts: await sourceFactsOf(ports, making.evidence),
    caller,
    keep: making.mode === "whole",
    strict: options.strict,
    onEvent: options.onEvent,
    signal: options.signal,
  });
  const ms = performance.now() - start;
  return generatedAnswer(asked, generated, { ...making, model: caller.modelId, calls: caller.calls, ms });
}

async function sourceFactsOf(
  ports: AskPorts,
  evidence: readonly Evidence[],
): Promise<(documentId: string) => SourceFacts> {
  const ids = [...new Set(evidence.map(({ documentId }) => documentId))];
  const records = await Promise.all(ids.map((id) => ports.document(id)));
  const facts = new Map<string, SourceFacts>();
  for (const record of records) {
    if (record === undefined) continue;
    const { id, metadata, text } = record.document;
    facts.set(id, { metadata, opening: openingOf(text) });
  }
  return (id) => facts.get(id) ?? { metadata: {}, opening: [] };
}
