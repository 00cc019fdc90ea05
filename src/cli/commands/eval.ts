import { ASK_FLAGS } from "../ask-flags.ts";
import { type Command, EMBEDDING, INDEXING } from "../command.ts";

const QUESTIONS = [
  "--questions <path>",
  "questions: .jsonl, .csv, or a folder with its corpus; default: questions.jsonl",
] as const;
const REPORT = [
  "--report <file>",
  "write the result to a .html, .md or .json file; may be repeated",
] as const;
const YES = ["--yes", "pay without asking"] as const;
const REBUILD = [
  "--rebuild",
  "drop the index of the folder, where it was made with other settings, and make a new one",
] as const;
const METRIC = (byDefault: string) =>
  ["--metric <name>", `what settings are compared by; default: ${byDefault}`] as const;

const GRADING = [
  [
    "--grader <provider:model>",
    "model that says whether answers are correct; default: one is right when it cites a gold passage",
  ],
  ["--grade-runs <n>", "how often each answer is graded, so that doubt shows; default: 3"],
] as const;

const LADDER: Command = {
  name: "eval ladder",
  args: "[folder]",
  about: "measure what each step of contextual retrieval brings, and which one to take",
  more: `The documents of the folder (default: those of the index) are indexed anew for each step: fixed chunks and embeddings, overlap, structure, structural context, LLM context (with --context-model; priced first), BM25 beside the embeddings, document score, rerank. Your index is not touched. Figures are per cent with 95 % intervals; "≈" marks what chance can explain.

In the end every question is asked over the step to take, by extracts or with --model (priced first), and for wrong answers it is told whether retrieval or the answer is at fault.`,
  settings: [
    "index",
    "model",
    ...INDEXING,
    "search.candidates",
    "search.weights.",
    "search.rerank",
    "search.rerankDepth",
    "search.rerankTimeoutMs",
    "ingest.",
  ],
  flags: [
    QUESTIONS,
    METRIC("recall@20"),
    ...GRADING,
    ["--no-answers", "measure retrieval only: ask no question in the end"],
    REPORT,
    YES,
  ],
  examples: [
    "konteks eval ladder ./docs --questions questions.jsonl --report report.html",
    "konteks eval ladder ./docs --context-model anthropic:claude-haiku-4-5 --report report.html --report report.json",
  ],
  load: () => import("./eval/ladder.ts"),
};

const SWEEP: Command = {
  name: "eval sweep",
  args: "[folder]",
  about: "try settings against each other and name the simplest good one",
  more: `Every combination of the --vary lists is tried, each index is made once. Half of the questions choose, the other half confirms. Without --vary: three chunk sizes, with and without overlap and context, text and hybrid search.

How deep to read is chosen by the tokens that are read for what is found; with --model by how many of its answers are correct from the first 1, 3, 5, 10 and 20 hits (priced first).

Keys: chunk-size, chunk-overlap (units, or 20%), chunk-unit, structure, context, context-model, context-prompt, glossary (a JSON file of terms, or none), embedding-model, mode, candidates, fusion, text-weight, vector-weight, rrf-k, title-weight, context-weight, body-weight, document-weight, rerank (true, false, or a model), rerank-depth (0: none), must-match, per-document, within-documents, within-sections, neighbours-weight.`,
  settings: ["index", "model", ...INDEXING, "search.", "ingest."],
  flags: [
    ["--vary <key=a,b,c>", "values to try for a setting; may be repeated"],
    QUESTIONS,
    METRIC("recall-tokens@4000"),
    ...GRADING,
    REPORT,
    YES,
  ],
  examples: [
    "konteks eval sweep ./docs --vary chunk-size=200,400,800 --vary chunk-overlap=0,20%",
    "konteks eval sweep ./docs --vary rerank-depth=0,20,50 --vary vector-weight=0.5,1 --report sweep.html",
  ],
  load: () => import("./eval/sweep.ts"),
};

/** A conversation and the cost of one answer are matters of a single question. */
const ASKING = ASK_FLAGS.filter(([flag]) => flag !== "--continue" && flag !== "--cost");
const ANSWERS: Command = {
  name: "eval answers",
  args: "[folder]",
  about: "ask every question and measure the answers: citations, abstention, correctness",
  more: `Without --model answers are extracts and nothing is paid; with one the price is told first, and replies are kept as they come.

For every wrong answer it is told whether the gold passage was in the evidence: a fault of retrieval, or of what answers.

With a folder its index is refreshed first; without one an index that is older than its files is refused.`,
  settings: ["index", "model", ...INDEXING, "search.", "ingest."],
  flags: [
    QUESTIONS,
    ...GRADING,
    ...ASKING,
    ["--save <file>", "write the run as JSON lines, for `konteks eval compare`"],
    REBUILD,
    REPORT,
    YES,
  ],
  examples: [
    "konteks eval answers ./docs --report answers.html",
    "konteks eval answers ./docs --model anthropic:claude-haiku-4-5 --grader openai:gpt-5-mini --save haiku.jsonl",
  ],
  load: () => import("./eval/answers.ts"),
};

const CHECK: Command = {
  name: "eval check",
  args: "[folder]",
  about: "ask the index all questions and fail when quality fell below a baseline",
  more: `Ends with 1 when a metric is certainly lower than in the baseline by more than the tolerance, or a question of the baseline is missing. --save writes the run: as the first baseline, as the next one, or for \`konteks eval compare\`.

With a folder its index is refreshed first; without one an index that is older than its files is refused.`,
  settings: ["index", ...INDEXING, "search.", "ingest."],
  flags: [
    QUESTIONS,
    ["--baseline <file>", "result to hold the run against"],
    ["--save <file>", "write the run as JSON lines, one for each question"],
    ["--metrics <a,b>", "what must not fall; default: recall@20,mrr@10,ndcg@10"],
    REBUILD,
    ["--tolerance <points>", "loss in points that is let through even when it is certain; default: 0"],
  ],
  examples: [
    "konteks eval check ./docs --save baseline.jsonl",
    "konteks eval check ./docs --baseline baseline.jsonl --tolerance 1",
  ],
  load: () => import("./eval/check.ts"),
};

const COMPARE: Command = {
  name: "eval compare",
  args: "<before> <after>",
  about: "compare two runs question by question",
  settings: [],
  flags: [["--metrics <a,b>", "default: all that both hold; changed questions are listed by the first"]],
  examples: ["konteks eval compare baseline.jsonl run.jsonl --metrics recall@20,mrr@10"],
  load: () => import("./eval/compare.ts"),
};

const GENERATE: Command = {
  name: "eval generate",
  args: "[folder]",
  about: "let a model write questions about the documents, with the passages that answer them",
  more: `Chunks are sampled across documents and sections. Every question is checked: its quote stands in the source, its words are not copied, it is in the document's language, no other passage answers it unnoticed. The price is told first. Replies are kept as they come: stopped in the middle, the same command goes on and pays for none twice.`,
  settings: ["index", "model", ...EMBEDDING, "ingest."],
  flags: [
    ["--count <n>", "questions to ask for; default: 60"],
    ["--kinds <list>", "weights of the kinds; default: fact=4,number=2,comparison=2,unanswerable=2"],
    ["--seed <n>", "another seed asks about other chunks; default: 1"],
    ["--questions <file>", "file of JSON lines they are added to; default: questions.jsonl"],
    YES,
  ],
  examples: ["konteks eval generate ./docs --model anthropic:claude-haiku-4-5 --count 80"],
  load: () => import("./eval/generate.ts"),
};

const REVIEW: Command = {
  name: "eval review",
  args: "[folder]",
  about: "look through generated questions on the terminal: keep, edit or drop each",
  more: "Every decision is saved at once; questions that were looked at are not shown again (--all shows them).",
  settings: ["index"],
  flags: [
    ["--questions <file>", "file of JSON lines; default: questions.jsonl"],
    ["--all", "also those that were reviewed or written by hand"],
  ],
  examples: ["konteks eval review ./docs"],
  load: () => import("./eval/review.ts"),
};

const ADD: Command = {
  name: "eval add",
  args: "[question]",
  about: "add a question with the passage that answers it, or those of a CSV",
  more: `The quote is looked up in the indexed document, and its offsets are stored. Without --gold the question is one that the documents do not answer, where the right behaviour is to say so.`,
  settings: ["index"],
  flags: [
    ["--gold <file#quote>", "document and the words that answer; may be repeated"],
    ["--from <file>", "add all questions of a .csv or .jsonl file instead of one"],
    ["--answer <text>", "reference answer"],
    ["--tag <name>", "for figures by group; may be repeated"],
    ["--questions <file>", "file of JSON lines; default: questions.jsonl"],
  ],
  examples: [
    'konteks eval add "How long is the notice period?" --gold "lease.md#The notice period is ninety days"',
    'konteks eval add "Who founded the company?"',
    "konteks eval add --from questions.csv",
  ],
  load: () => import("./eval/add.ts"),
};

const CALIBRATE: Command = {
  name: "eval calibrate",
  args: "",
  about: "fit the threshold below which `ask` says that the answer is not there",
  more: `The questions have to hold some that the documents do not answer (\`konteks eval add\` without --gold). Thresholds are fitted by kind of score, with the rates of wrong answers and of wrong silence that they bring. No model is called.
--save keeps the best one with the index; \`konteks ask\` reads it. A folder with its own corpus is indexed apart.`,
  settings: ["index", ...EMBEDDING, "search."],
  flags: [
    QUESTIONS,
    [
      "--max-wrong <percent>",
      "let at most so many questions without an answer be answered; default: best balance",
    ],
    ["--save", "keep the best threshold with the index"],
  ],
  examples: ["konteks eval calibrate --save", "konteks eval calibrate --max-wrong 5 --json"],
  load: () => import("./eval/calibrate.ts"),
};

const LOG = ["--log <file>", "log of searches; default: that of the index"] as const;

const FROM_LOG: Command = {
  name: "eval from-log",
  args: "",
  about: "propose logged searches as questions: those that found nothing first, then the most frequent",
  more: `Searches are logged with --query-log. Each proposal is a guess to be judged by \`konteks eval review\`: the first hit stands
as the passage that answers, and a query without a hit as one that the documents do not answer.`,
  settings: ["index", "queryLog"],
  flags: [
    LOG,
    ["--count <n>", "most questions to propose; default: 50"],
    ["--empty", "only queries that found nothing"],
    ["--questions <file>", "file of JSON lines they are added to; default: questions.jsonl"],
  ],
  examples: ["konteks eval from-log --empty", "konteks eval from-log --count 20 --questions traffic.jsonl"],
  load: () => import("./eval/from-log.ts"),
};

const REPLAY: Command = {
  name: "eval replay",
  args: "",
  about:
    "measure on logged searches what a reranker would cost in time and money, and how much it would change",
  more: `The latest queries of the log are searched without and with the reranker (--rerank; default: the built-in one). The price of a
hosted one is told before anything is sent.`,
  settings: ["index", "queryLog", ...EMBEDDING, "search."],
  flags: [
    LOG,
    ["--count <n>", "most queries, the latest first; default: 100"],
    ["--price-per-thousand <dollars>", "price of 1,000 searches; default: of the model, where it is known"],
    ["--price-per-million <dollars>", "price of 1,000,000 tokens; default: of the model, where it is known"],
    YES,
  ],
  examples: ["konteks eval replay", "konteks eval replay --rerank cohere:rerank-v3.5 --count 50"],
  load: () => import("./eval/replay.ts"),
};

const REPORT_COMMAND: Command = {
  name: "eval report",
  args: "<result>",
  about: "render a ladder, a sweep or answers that were kept as JSON",
  settings: [],
  flags: [REPORT],
  examples: ["konteks eval report ladder.json --report ladder.html --report ladder.md"],
  load: () => import("./eval/report.ts"),
};

/** The commands of `konteks eval`, in the order help lists them. */
export const EVAL_COMMANDS: readonly Command[] = [
  LADDER,
  SWEEP,
  ANSWERS,
  CHECK,
  COMPARE,
  GENERATE,
  REVIEW,
  ADD,
  CALIBRATE,
  FROM_LOG,
  REPLAY,
  REPORT_COMMAND,
];
