/**
 * The ladder of contextual retrieval: `codebases` with the published chunks and contexts beside the published figures,
 * then every evaluation set with our own chunks.
 *
 *   npm run bench:ladder
 *     --sets codebases,xquad-vi     only these
 *     --published                   only the published experiment
 *     --embedding provider:model    another vector side
 *     --quick                       at most 200 questions a set
 *     --write                       writes docs/quality.md
 *     --resume                      takes over what a stopped run of the same commit has measured
 *     --commit name                 the commit it names; default: that of the working tree
 */
import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { parseArgs } from "node:util";
import type { Ladder } from "../src/eval/ladder/ladder.ts";
import { defaultSteps, keywordSteps } from "../src/eval/ladder/steps.ts";
import { percent, withInterval } from "../src/eval/report/figures.ts";
import { ladderMarkdown } from "../src/eval/report/ladder-markdown.ts";
import { table } from "../src/eval/report/table.ts";
import type { LadderPair, LadderTask } from "./ladder-worker.ts";
import { runInWorkers } from "./pool.ts";
import { publishedLadder } from "./published.ts";
import { setNames } from "./sets.ts";

const { values: flags } = parseArgs({
  options: {
    sets: { type: "string" },
    published: { type: "boolean", default: false },
    embedding: { type: "string", default: "lexical" },
    quick: { type: "boolean", default: false },
    write: { type: "boolean", default: false },
    commit: { type: "string" },
    resume: { type: "boolean", default: false },
  },
});
const common = { embedding: flags.embedding, questions: flags.quick ? 200 : undefined };
const tasks: readonly LadderTask[] = [
  { set: "codebases", published: true, ...common },
  ...(flags.published ? [] : setNames(flags.sets).map((set) => ({ set, published: false, ...common }))),
];

/** Figures of one commit, one vector side and one number of questions belong together. */
const kept = join(
  ".bench",
  "ladder",
  [commitName(), flags.embedding.replace(/\W/g, "-"), ...(flags.quick ? ["quick"] : [])].join("-"),
);
const command = [
  "npm run bench:ladder --",
  ...process.argv.slice(2).filter((word) => word !== "--resume"),
].join(" ");

const intro = `# Quality

Made by \`${command}\` on commit ${commitName()}; do not edit. The vector side is "${flags.embedding}", the reranker the
built-in one; no model was called. Figures are per cent with 95 % bootstrap intervals; changes are paired, question by
question, against the step before. "≈" marks a change that these questions cannot tell from chance. Chunks have at most
800 characters. What each step adds:

${[...defaultSteps, ...keywordSteps.slice(0, 1)].map(({ name, adds }) => `- **${name}**: ${adds}`).join("\n")}

Times are those of a machine that did other work as well; compare them with each other only.`;

const begun = performance.now();
const done = new Map<LadderTask, LadderPair>();
if (flags.resume) for (const task of tasks) await takeKept(task);
await runInWorkers<LadderTask, LadderPair>(
  new URL("./ladder-worker.ts", import.meta.url),
  tasks.filter((task) => !done.has(task)),
  (pair, task) => {
    console.error(`${titleOf(task)} (${((performance.now() - begun) / 1000).toFixed(1)} s)`);
    done.set(task, pair);
    mkdirSync(kept, { recursive: true });
    writeFileSync(fileOf(task), JSON.stringify(pair));
    write();
  },
);
write();
console.log(page());

/** After every set, so that a run that is stopped leaves what it has. */
function write(): void {
  if (!flags.write) return;
  mkdirSync("docs", { recursive: true });
  writeFileSync("docs/quality.md", page());
}

function fileOf({ set, published }: LadderTask): string {
  return join(kept, `${published ? "published-" : ""}${set}.json`);
}

async function takeKept(task: LadderTask): Promise<void> {
  if (existsSync(fileOf(task))) done.set(task, JSON.parse(await readFile(fileOf(task), "utf8")));
}

function titleOf(task: LadderTask): string {
  return task.published ? `${task.set}, published chunks and contexts` : task.set;
}

function page(): string {
  const all = tasks.flatMap((task) => {
    const pair = done.get(task);
    return pair === undefined ? [] : [{ task, ...pair }];
  });
  const open = tasks.filter((task) => !done.has(task)).map(titleOf);
  const missing = open.length === 0 ? "" : `\n\nNot measured yet on this commit: ${open.join("; ")}.`;
  const sections = all.map(({ task, full, keywords }) => {
    const title = titleOf(task);
    const beside = task.published ? `\n\n${besidePublished(full)}` : "";
    return `## ${title}\n\n${ladderMarkdown(full)}${beside}\n\nBM25 alone, over the same chunks:\n\n${ladderMarkdown(keywords)}`;
  });
  return `${intro}${missing}\n\n${overview(all)}\n\n${sections.join("\n\n")}\n`;
}

/** All sets and steps in one table, by recall@20, and by the order for what one compares with others' figures. */
type Measured = LadderPair & { readonly task: LadderTask };

function overview(all: readonly Measured[]): string {
  return ["recall@20", "ndcg@10"].map((metric) => overviewOf(all, metric)).join("\n\n");
}

function overviewOf(all: readonly Measured[], metric: string): string {
  const names = defaultSteps.map(({ name }) => name);
  const rows = all.map(({ task, full, keywords }) => {
    const meanOf = (steps: Ladder["steps"], name: string) =>
      percent(steps.find((step) => step.name === name)?.summary[metric]?.mean);
    return [
      task.published ? `${full.set} (published chunks)` : full.set,
      ...names.map((name) => meanOf(full.steps, name)),
      meanOf(keywords.steps, "BM25"),
      meanOf(keywords.steps, "structural context"),
    ];
  });
  const header = ["set", ...names, "BM25 alone", "BM25 + structural context"];
  return `${metric} by step, per cent:\n\n${table(header, rows)}`;
}

/** The commit that is measured: \`--commit\`, else what the working tree is at. */
function commitName(): string {
  if (flags.commit !== undefined) return flags.commit;
  return execFileSync("git", ["rev-parse", "--short", "HEAD"], { encoding: "utf8" }).trim();
}

function besidePublished(ladder: Ladder): string {
  const rows = publishedLadder.map(({ name, step, at }) => {
    const ours = ladder.steps.find((each) => each.name === step);
    return [
      name,
      ...([5, 10, 20] as const).flatMap((k) => [
        at[k].toFixed(2),
        withInterval(ours?.summary[`recall@${k}`]),
      ]),
    ];
  });
  const header = ["published", ...[5, 10, 20].flatMap((k) => [`pass@${k}`, "ours"])];
  return `Beside the published figures (mean share of the gold chunks, per cent):\n\n${table(header, rows)}`;
}
