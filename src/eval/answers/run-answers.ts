import pLimit from "p-limit";
import { costOf, priceOf } from "../../llm/prices.ts";
import {
  type AskOptions,
  type Konteks,
  type LanguageModel,
  NO_USAGE,
  type TokenPrices,
} from "../../spec/index.ts";
import type { BootstrapOptions } from "../bootstrap.ts";
import { sumKnown } from "../cost.ts";
import { type Journal, openJournal } from "../journal.ts";
import { answerMetrics } from "../metrics/answer-metrics.ts";
import { type PaidCalls, paidCalls } from "../paid.ts";
import { refuseSimulatedAnswers } from "../simulated.ts";
import { type Summary, summarise } from "../summary.ts";
import type { EvaluationSet, Question } from "../types.ts";
import { askingOnce } from "./ask-once.ts";
import { gradeAnswer } from "./grade.ts";
import { gradeVersion } from "./grade-prompt.ts";
import { type AnswerRow, type Fault, judgeAnswer, type Outcome } from "./judge-answer.ts";

/** A model that says whether answers are correct. */
export interface Grader {
  readonly model: LanguageModel;
  /** "provider:model". */
  readonly modelId: string;
  /** How often each answer is graded. Default 3, so that the grader's agreement with itself shows. */
  readonly runs?: number;
}

export interface AnswersOptions {
  /** How questions are asked; the model of the answers, if any, is named here. Default: as the index answers by itself. */
  readonly ask?: Omit<AskOptions, "history" | "onEvent" | "signal">;
  /** Without one an answer is right when it cites a gold passage. */
  readonly grader?: Grader;
  /** File of paid replies, so that none is paid for twice; wanted where a model answers or grades. */
  readonly journal?: string;
  /** Prices that go before the table's, by "provider:model". */
  readonly prices?: Readonly<Record<string, TokenPrices>>;
  /** Questions under way. Default 4 with a journal, else 1, so that times are a single user's. */
  readonly concurrency?: number;
  readonly bootstrap?: BootstrapOptions;
  readonly signal?: AbortSignal;
  readonly onProgress?: (done: number, of: number) => void;
}

/** What asking every question came to. */
export interface AnswersResult {
  readonly set: string;
  /** Files that cannot be read. */
  readonly leftOut?: readonly string[];
  /** "provider:model" that wrote the answers; undefined: extracts. */
  readonly model?: string;
  readonly grader?: { readonly model: string; readonly runs: number };
  readonly summary: Summary;
  readonly outcomes: Readonly<Record<Outcome, number>>;
  readonly faults: Readonly<Record<Fault, number>>;
  /** US dollars; undefined without a price. */
  readonly cost: {
    /** Of a thousand answers like these, whenever they were paid for. */
    readonly thousandAnswers: number | undefined;
    /** Of the calls of this run, grades included. */
    readonly paid: number | undefined;
  };
  readonly rows: readonly AnswerRow[];
}

/**
 * Asks an index every question and judges what it answers: citations and abstention against the gold passages, and by a
 * grading model where one is named. Errors: those of a model's call; what was paid for by then is in the journal.
 */
export async function runAnswers(
  konteks: Konteks,
  set: Pick<EvaluationSet, "name" | "questions" | "leftOut">,
  options: AnswersOptions = {},
): Promise<AnswersResult> {
  const journal = options.journal === undefined ? undefined : openJournal(options.journal);
  try {
    const { grader, signal } = options;
    const calls =
      grader &&
      paidCalls({ ...grader, purpose: "grade", version: gradeVersion, signal }, journal ?? forgetful());
    const asked = await askAll(konteks, set.questions, options, calls, journal);
    refuseSimulatedAnswers(asked.map(({ row }) => row.answer.text));
    const paid = asked.filter(({ known }) => !known).map(({ row }) => row);
    return {
      ...resultOf(
        set.name,
        asked.map(({ row }) => row),
        options,
      ),
      ...(set.leftOut && { leftOut: set.leftOut.map(({ id }) => id) }),
      ...(grader && { grader: { model: grader.modelId, runs: grader.runs ?? GRADE_RUNS } }),
      cost: {
        thousandAnswers: thousandfold(asked.map(({ row }) => row)),
        paid: sumKnown([costOfRows(paid), gradesCost(options, calls)]),
      },
    };
  } finally {
    journal?.close();
  }
}

const GRADE_RUNS = 3;

async function askAll(
  konteks: Konteks,
  questions: readonly Question[],
  options: AnswersOptions,
  calls: PaidCalls | undefined,
  journal: Journal | undefined,
): Promise<readonly { readonly row: AnswerRow; readonly known: boolean }[]> {
  const { grader, signal, onProgress } = options;
  const ask = await askingOnce(konteks, options.ask ?? {}, journal, options.prices);
  const limit = pLimit(options.concurrency ?? (journal === undefined ? 1 : 4));
  const texts = goldTextLookup(konteks);
  let done = 0;
  return Promise.all(
    questions.map((question) =>
      limit(async () => {
        signal?.throwIfAborted();
        const { record, known } = await ask(question.text, signal);
        const verdicts = calls
          ? await gradeAnswer(question, record, await texts(question), calls, grader?.runs ?? GRADE_RUNS)
          : [];
        onProgress?.(++done, questions.length);
        return { row: judgeAnswer(question, record, verdicts), known };
      }),
    ),
  );
}

function resultOf(set: string, rows: readonly AnswerRow[], { bootstrap }: AnswersOptions) {
  const model = rows.find(({ answer }) => answer.model !== undefined)?.answer.model;
  const outcome = (name: Outcome) => rows.filter((row) => row.outcome === name).length;
  const fault = (name: Fault) => rows.filter((row) => row.fault === name).length;
  return {
    set,
    ...(model !== undefined && { model }),
    summary: summarise(rows, Object.keys(answerMetrics), bootstrap),
    outcomes: {
      right: outcome("right"),
      wrong: outcome("wrong"),
      "not answered": outcome("not answered"),
      "made up": outcome("made up"),
      "not scored": outcome("not scored"),
    },
    faults: { retrieval: fault("retrieval"), answer: fault("answer") },
    rows,
  };
}

/** The words of a question's gold passages; a document is read once. */
function goldTextLookup(konteks: Konteks): (question: Question) => Promise<readonly string[]> {
  const documents = new Map<string, Promise<string>>();
  const textOf = async (id: string) => (await konteks.document(id))?.document.text ?? "";
  return ({ gold }) =>
    Promise.all(
      gold.map(async ({ documentId, start, end }) => {
        const text = documents.get(documentId) ?? textOf(documentId);
        documents.set(documentId, text);
        return (await text).slice(start, end);
      }),
    );
}

/** Replies are kept nowhere. */
function forgetful(): Journal {
  return { get: () => undefined, put: () => {}, close: () => {} };
}

/** Extracts cost nothing; undefined where the price of an answer is not known. */
function costOfRows(rows: readonly AnswerRow[]): number | undefined {
  return sumKnown(rows.map(({ answer }) => (answer.model === undefined ? 0 : answer.cost)));
}

function thousandfold(rows: readonly AnswerRow[]): number | undefined {
  const sum = costOfRows(rows);
  return sum === undefined || rows.length === 0 ? undefined : (1000 * sum) / rows.length;
}

function gradesCost({ grader, prices }: AnswersOptions, calls: PaidCalls | undefined): number | undefined {
  const usage = calls?.usage() ?? NO_USAGE;
  return grader === undefined || usage.calls === 0 ? 0 : costOf(usage, priceOf(grader.modelId, prices));
}
