/**
 * A sweep of 24 settings (chunk size, overlap, context, mode) on one evaluation set, without a model.
 *
 *   npx node bench/sweep.ts [set]     default legalbench-rag-contractnli
 */
import { sweepMarkdown } from "../src/eval/report/sweep-markdown.ts";
import { runSweep } from "../src/eval/sweep/sweep.ts";
import { openKonteks } from "../src/open.ts";
import { loadSet } from "./sets.ts";

const set = await loadSet(process.argv[2] ?? "legalbench-rag-contractnli");
const begun = performance.now();
const sweep = await runSweep({
  open: openKonteks,
  set,
  grid: {
    chunk: [200, 400, 800].flatMap((size) => [
      { unit: "tokens" as const, size, overlap: 0 },
      { unit: "tokens" as const, size, overlap: size / 5 },
    ]),
    context: ["none", "structural"],
    mode: ["text", "hybrid"],
  },
  onSetting: ({ name }) => console.error(`${name} (${seconds()} s)`),
});
console.log(
  `${sweepMarkdown(sweep)}\n\n${sweep.settings.length} settings, ${set.questions.length} questions: ${seconds()} s`,
);

function seconds(): string {
  return ((performance.now() - begun) / 1000).toFixed(1);
}
