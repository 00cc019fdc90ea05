import type {
  Answer,
  AskOptions,
  CorrectOptions,
  Evidence,
  Hit,
  LanguageModel,
  SearchOptions,
  TraceStage,
} from "../../spec/index.ts";
import { type Asked, costs, generatedAnswer, notFound } from "./answer.ts";
import { type Caller, createCaller } from "./caller.ts";
import { type Correction, type Corrector, createCorrector } from "./correct.ts";
import { generateAnswer } from "./generate.ts";
import { type AskPorts, EVIDENCE_CHUNKS, searchOptions } from "./ports.ts";
import { readQuestion } from "./question.ts";
import { standaloneQuestion } from "./rewrite.ts";
import { evidenceOf, neighboursOf, sourceFactsOf } from "./sources.ts";
import { belowThreshold, isSure } from "./thresholds.ts";
import { decideWhole } from "./whole.ts";

/** A question under way: what was asked, of whom, and what was done so far. */
interface Run {
  readonly ports: AskPorts;
  readonly options: AskOptions;
  readonly caller: Caller;
  readonly question: string;
  readonly standalone: string;
  readonly modeReason: string;
  readonly trace: TraceStage[];
  tell(stage: TraceStage): void;
}

/** Rewrites a follow-up, takes the whole corpus or searches, corrects, and has the model answer. */
export async function askModel(
  ports: AskPorts,
  question: string,
  options: AskOptions,
  { id, model }: { readonly id: string; readonly model: LanguageModel },
): Promise<Answer> {
  const trace: TraceStage[] = [];
  const tell = (stage: TraceStage) => {
    trace.push(stage);
    options.onEvent?.({ type: "step", stage });
  };
  const caller = createCaller(model, id, (wait) => {
    const { ms, ...facts } = { model: id, ...wait };
    tell({ stage: "wait", ms, facts });
    options.onWait?.({ ms, ...facts });
  });
  const standalone = await standaloneOf(question, options, caller, tell);
  const corpus = { documents: await ports.documents(), document: ports.document, chunks: ports.chunks };
  const whole = await decideWhole(corpus, caller.modelId, wholeOf(options), options.wholeLimit);
  const run = { ports, options, caller, question, standalone, modeReason: whole.reason, trace, tell };
  return whole.evidence ? answerWhole(run, whole.evidence) : searchAndAnswer(run);
}

/** Nothing was searched for; when nothing is answered either, the nearest passages are still worth showing. */
async function answerWhole(run: Run, evidence: readonly Evidence[]): Promise<Answer> {
  const answer = await answerFrom(run, [], evidence, "whole");
  if (!answer.abstained) return answer;
  const { hits, trace } = await run.ports.search(run.standalone, searchOptions(run.options), EVIDENCE_CHUNKS);
  return { ...answer, hits, trace: [...answer.trace, ...trace] };
}

async function standaloneOf(
  question: string,
  { history = [], signal }: AskOptions,
  caller: Caller,
  tell: Run["tell"],
): Promise<string> {
  if (history.length === 0) return question;
  const start = performance.now();
  const standalone = await standaloneQuestion(question, history, caller, signal);
  tell({ stage: "rewrite", ms: performance.now() - start, facts: { standalone } });
  return standalone;
}

/** Who restricts or tunes the search wants a search. */
function wholeOf({ whole = "auto", filter, k, vector, mode }: AskOptions): "auto" | "always" | "never" {
  const restricted = [filter, k, vector, mode].some((value) => value !== undefined);
  return whole === "auto" && restricted ? "never" : whole;
}

async function searchAndAnswer(run: Run): Promise<Answer> {
  const { ports, options, standalone, trace } = run;
  const result = await ports.search(standalone, searchOptions(options), EVIDENCE_CHUNKS);
  trace.push(...result.trace);
  const corrector = correctorOf(run);
  const found = corrector
    ? await corrector.run(result.hits, await sureOf(run, result.hits))
    : { hits: result.hits, ...abstainBelow(result.hits, options) };
  const answer = await answerCorrected(run, found);
  if (answer.reason !== "off-the-point" || !corrector || found.abstain) return answer;
  const again = await corrector.again(result.hits);
  return again ? answerCorrected(run, again) : answer;
}

function abstainBelow(hits: readonly Hit[], { thresholds }: AskOptions): Pick<Correction, "abstain"> {
  return belowThreshold(hits, thresholds) === undefined ? {} : { abstain: "off-the-point" };
}

async function answerCorrected(run: Run, { hits, abstain }: Correction): Promise<Answer> {
  const { caller, modeReason } = run;
  if (abstain === undefined)
    return answerFrom(run, hits, await evidenceOf(run.ports, hits, run.options), "retrieve");
  const why =
    abstain === "nothing-retrieved"
      ? "Nothing was found that could hold an answer."
      : "What was found does not bear on the question.";
  return {
    ...notFound(askedOf(run, hits), abstain, [why]),
    mode: "retrieve",
    modeReason,
    ...costs(caller.modelId, caller.calls),
  };
}

async function sureOf({ ports, options, standalone }: Run, hits: readonly Hit[]): Promise<boolean> {
  const [languages, idf] = await Promise.all([ports.languages(), ports.idf(standalone)]);
  return isSure({ question: standalone, languages, idf, hits }, options.thresholds);
}

function correctorOf({ ports, options, caller, standalone, tell }: Run): Corrector | undefined {
  const { correct = true, signal } = options;
  if (correct === false) return undefined;
  const settings: CorrectOptions = correct === true ? {} : correct;
  const search = (question: string, depth: SearchOptions) =>
    ports.search(question, { ...searchOptions(options), ...depth }, EVIDENCE_CHUNKS);
  const neighbours = async (hit: Hit) => neighboursOf(hit, await ports.chunks(hit.documentId));
  const read = async (question: string) => {
    const [languages, idf] = await Promise.all([ports.languages(), ports.idf(question)]);
    return readQuestion({ question, languages, idf });
  };
  return createCorrector(standalone, { search, neighbours, read }, caller, settings, tell, signal);
}

async function answerFrom(
  run: Run,
  hits: readonly Hit[],
  evidence: readonly Evidence[],
  mode: "retrieve" | "whole",
): Promise<Answer> {
  const { ports, options, caller, standalone, modeReason } = run;
  const start = performance.now();
  const generated = await generateAnswer({
    question: standalone,
    evidence,
    sourceFacts: await sourceFactsOf(ports, evidence),
    caller,
    keep: mode === "whole",
    strict: options.strict,
    providerCitations: options.providerCitations,
    onEvent: options.onEvent,
    signal: options.signal,
  });
  const ms = performance.now() - start;
  const making = { mode, modeReason, evidence, model: caller.modelId, calls: [...caller.calls], ms };
  return generatedAnswer(askedOf(run, hits), generated, making);
}

function askedOf({ question, standalone, trace }: Run, hits: readonly Hit[]): Asked {
  return { question, standalone, hits, trace: [...trace] };
}
