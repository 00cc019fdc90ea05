/**
 * Whether evaluation works at all and quality is where it was: a few questions of one set through basic retrieval and
 * through the default settings. Seconds; for CI.
 */
import { buildIndex, sample, workbench } from "../src/eval/build.ts";
import { withInterval } from "../src/eval/report/figures.ts";
import { table } from "../src/eval/report/table.ts";
import { runQuestions } from "../src/eval/run.ts";
import { summarise } from "../src/eval/summary.ts";
import { openKonteks } from "../src/open.ts";
import type { IndexOptions, SearchOptions } from "../src/spec/index.ts";
import { loadSet } from "./sets.ts";

const QUESTIONS = 100;
/** Of recall@5 with the default settings, some points below what it is. */
const FLOOR = 0.9;

const loaded = await loadSet("xquad-zh");
const set = { ...loaded, questions: sample(loaded.questions, QUESTIONS) };
const basic = await measure({ chunk: { structure: false, overlap: 0 }, context: "none" }, { mode: "vector" });
const usual = await measure({}, {});
console.log(
  table(
    ["", "recall@5"],
    [
      ["basic", withInterval(basic)],
      ["default", withInterval(usual)],
    ],
  ),
);
if (!(usual && basic && usual.mean >= FLOOR && usual.mean >= basic.mean)) {
  console.error(`The default settings should reach recall@5 ${FLOOR}, and no less than basic retrieval.`);
  process.exitCode = 1;
}

async function measure(index: IndexOptions, search: SearchOptions) {
  await using bench = await workbench(openKonteks);
  await using built = await buildIndex(bench, set, index);
  const rows = await runQuestions(built.konteks, set.questions, { search, metrics: ["recall@5"] });
  return summarise(rows, ["recall@5"], { resamples: 1000 })["recall@5"];
}
