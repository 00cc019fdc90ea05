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
 */
import { mkdir, writeFile } from "node:fs/promises";
import { parseArgs } from "node:util";
import type { Ladder } from "../src/eval/ladder/ladder.ts";
import { withInterval } from "../src/eval/report/figures.ts";
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
  },
});
const common = { embedding: flags.embedding, questions: flags.quick ? 200 : undefined };
const tasks: readonly LadderTask[] = [
  { set: "codebases", published: true, ...common },
  ...(flags.published ? [] : setNames(flags.sets).map((set) => ({ set, published: false, ...common }))),
];

const intro = `# Quality

Made by \`npm run bench:ladder -- --write\` with the vector side "${flags.embedding}"; do not edit. Figures are per cent with
95 % bootstrap intervals; changes are paired, question by question, against the step before. "≈" marks a change that
these questions cannot tell from chance.`;

const begun = performance.now();
const ladders = await runInWorkers<LadderTask, LadderPair>(
  new URL("./ladder-worker.ts", import.meta.url),
  tasks,
  (_, task) => console.error(`${titleOf(task)} (${((performance.now() - begun) / 1000).toFixed(1)} s)`),
);
const text = page(ladders);
console.log(text);
if (flags.write) {
  await mkdir("docs", { recursive: true });
  await writeFile("docs/quality.md", text);
}

function titleOf(task: LadderTask): string {
  return task.published ? `${task.set}, published chunks and contexts` : task.set;
}

function page(all: readonly LadderPair[]): string {
  const sections = all.map(({ full, keywords }, index) => {
    const task = tasks[index];
    const title = task === undefined ? full.set : titleOf(task);
    const beside = task?.published ? `\n\n${besidePublished(full)}` : "";
    return `## ${title}\n\n${full.questions} questions.\n\n${ladderMarkdown(full)}${beside}\n\nBM25 alone, over the same chunks:\n\n${ladderMarkdown(keywords)}`;
  });
  return `${intro}\n\n${sections.join("\n\n")}\n`;
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
