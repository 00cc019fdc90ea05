/**
 * How fast text is analysed, in megabytes of UTF-8 a second of processor time (other processes do not count).
 *
 *   node bench/analysis.ts        printed first by npm run bench:speed
 */
import { table } from "../src/eval/report/table.ts";
import { analyzeField } from "../src/text/analyze.ts";
import { loadSet } from "./sets.ts";

const SETS: readonly (readonly [language: string, set: string, atLeast?: number])[] = [
  ["en", "scifact", 5],
  ["id", "react-docs-id"],
  ["vi", "xquad-vi"],
  ["zh", "xquad-zh", 2],
  ["th", "xquad-th", 2],
];
/** Seconds of processor time a language is measured for; every text is read at least once. */
const SECONDS = 2;

export async function analysisTable(): Promise<string> {
  const rows: string[][] = [];
  for (const [language, set, atLeast] of SETS) {
    const texts = (await loadSet(set)).documents.map(({ text }) => text);
    const aim = atLeast === undefined ? "" : `≥ ${atLeast}`;
    rows.push([language, set, megabytesASecond(texts, language).toFixed(1), aim]);
  }
  return table(["language", "texts of", "MB/s", "aim"], rows);
}

function megabytesASecond(texts: readonly string[], language: string): number {
  const size = texts.reduce((sum, text) => sum + Buffer.byteLength(text), 0);
  const begun = process.cpuUsage();
  let rounds = 0;
  let seconds = 0;
  while (seconds < SECONDS) {
    for (const text of texts) analyzeField(text, { language });
    rounds++;
    const { user, system } = process.cpuUsage(begun);
    seconds = (user + system) / 1e6;
  }
  return (size * rounds) / 1e6 / seconds;
}

if (import.meta.main) console.log(await analysisTable());
