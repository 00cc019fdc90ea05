export { answersRun } from "./answers/answers-run.ts";
export { type AnswersEstimate, estimateAnswers } from "./answers/estimate.ts";
export type { AnswerRow, Fault, Outcome } from "./answers/judge-answer.ts";
export type { AnswerRecord, RecordedCitation } from "./answers/record.ts";
export { type AnswersOptions, type AnswersResult, type Grader, runAnswers } from "./answers/run-answers.ts";
export { type BootstrapOptions, bootstrap, type Interval } from "./bootstrap.ts";
export {
  type BuiltIndex,
  buildIndex,
  countIndex,
  documentsOf,
  type Open,
  sample,
  type Workbench,
  workbench,
} from "./build.ts";
export {
  type CalibrateOptions,
  type Calibration,
  type CalibrationPoint,
  calibrate,
  type KindCalibration,
  type ThresholdKind,
} from "./calibrate.ts";
export { type CheckOptions, type CheckResult, checkAgainst } from "./check.ts";
export { type ChangedQuestion, type Comparison, compareRuns } from "./compare.ts";
export { addQuestion, addQuestions, type NewQuestion } from "./dataset/add.ts";
export type { FolderOptions } from "./dataset/folder.ts";
export { questionLine } from "./dataset/jsonl.ts";
export { locateGold, type SourceText } from "./dataset/locate.ts";
export { findQuote } from "./dataset/quote.ts";
export { readEvaluationSet, readQuestions, withCorpus } from "./dataset/read.ts";
export {
  type DroppedQuestion,
  estimateGeneration,
  type GeneratedQuestions,
  type GenerateQuestionsOptions,
  generateQuestions,
} from "./generate/generate.ts";
export {
  type PlannedQuestion,
  type PlanOptions,
  planQuestions,
  type QuestionKind,
  questionKinds,
} from "./generate/plan.ts";
export { finds, type Judged, type JudgedHit, judge, type Place, type Retrieved } from "./judge.ts";
export type { Advice } from "./ladder/advise.ts";
export { chunksOfIndex } from "./ladder/given.ts";
export {
  type Ladder,
  type LadderOptions,
  type LadderRow,
  ladderMetrics,
  runLadder,
  type SkippedStep,
} from "./ladder/ladder.ts";
export {
  defaultSteps,
  type GivenChunks,
  keywordSteps,
  type LadderInput,
  type LadderStep,
  type StepPlan,
} from "./ladder/steps.ts";
export type { LeftOut } from "./left-out.ts";
export * from "./metrics/index.ts";
export { type Price, type PriceOptions, tablePrices } from "./price.ts";
export { answersHtml } from "./report/answers-html.ts";
export { answersMarkdown } from "./report/answers-markdown.ts";
export { ladderHtml } from "./report/ladder-html.ts";
export { ladderMarkdown } from "./report/ladder-markdown.ts";
export { type ReadResult, readResultJson, resultJson } from "./report/result-json.ts";
export { sweepHtml } from "./report/sweep-html.ts";
export { sweepMarkdown } from "./report/sweep-markdown.ts";
export { readResult, writeResult } from "./result-file.ts";
export type { IndexFacts, QuestionRow, RowHit, RunResult } from "./rows.ts";
export { defaultMetrics, type RunOptions, runQuestions } from "./run.ts";
export {
  certain,
  type Difference,
  differences,
  type Latency,
  latency,
  type Scored,
  type Summary,
  summarise,
  summariseByTag,
} from "./summary.ts";
export type { AnsweredDepth, ChosenDepth, DepthRow } from "./sweep/depth.ts";
export type { SweepRow } from "./sweep/rows.ts";
export type { SweepGrid, SweepSetting } from "./sweep/settings.ts";
export { runSweep, type Sweep, type SweepOptions } from "./sweep/sweep.ts";
export type {
  DraftQuestion,
  EvaluationSet,
  GoldPassage,
  Question,
  QuestionFile,
  QuestionSet,
  QuotedGold,
} from "./types.ts";
