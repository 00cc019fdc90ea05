/**
 * What contexts cost, by the ledger of the simulated provider; no model is called.
 *
 *   npm run bench:contexts
 *     --quick                            fewer documents
 *     --parts costs,uncached,estimates   only these
 *
 * The provider counts with the tokenizer o200k where the package js-tiktoken is installed, else roughly.
 */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { table } from "../src/eval/report/table.ts";
import { codebases, count, documentsOf, madeUp, type Prepared } from "./contexts-documents.ts";
import { minimumOf, type Run, roughPieces, runContexts } from "./contexts-run.ts";
import { loadTokenizer } from "./tokenizer.ts";

const { values: flags } = parseArgs({
  options: {
    quick: { type: "boolean", default: false },
    parts: { type: "string", default: "costs,uncached,estimates" },
  },
});
const parts = flags.parts.split(",");
const most = flags.quick ? 3 : 8;
const exact = await loadTokenizer();

const pieces = exact ?? roughPieces;
const folder = mkdtempSync(join(tmpdir(), "konteks-bench-"));
const missed: string[] = [];

const PUBLISHED = "anthropic:claude-3-haiku-20240307";
const models = [PUBLISHED, "anthropic:claude-haiku-4-5", "openai:gpt-4o-mini"];
const dollars = (value: number | undefined) =>
  value === undefined ? "–" : `$${value.toFixed(value < 1 ? 3 : 2)}`;

function hold(what: string, value: number, limit: number, digits = 3): string {
  const good = value <= limit;
  if (!good) missed.push(`${what}: ${value.toFixed(digits)}, must be at most ${limit}`);
  return `${value.toFixed(digits)} (at most ${limit}: ${good ? "holds" : "MISSED"})`;
}

const tokensOf = (documents: readonly Prepared[]) =>
  documents.reduce((sum, { document }) => sum + count(pieces, document.text), 0);
const perMillion = ({ cost }: Run, documents: readonly Prepared[]) =>
  (cost / tokensOf(documents)) * 1_000_000;

console.log(`Tokens are counted ${exact ? "with o200k" : "roughly (js-tiktoken is not installed)"}.\n`);

if (parts.includes("costs")) await costTable();
if (parts.includes("uncached")) await againstUncached();
if (parts.includes("estimates")) await estimates();

if (missed.length > 0) {
  console.log(`Missed:\n${missed.map((line) => `- ${line}`).join("\n")}`);
  process.exitCode = 1;
}
rmSync(folder, { recursive: true, force: true });

/** Dollars for a million document tokens: 800-token chunks of 8,000-token documents, 100-token contexts. */
async function costTable(): Promise<void> {
  const rows: string[][] = [];
  for (const overlap of [0, 150]) {
    const documents = await madeUp(pieces, 8_000, overlap, most);
    for (const model of models) {
      const of = (options: Partial<Parameters<typeof runContexts>[0]>) =>
        runContexts({ model, documents, pieces, folder, ...options });
      const [single, grouped, groupedBatch] = [
        await of({ plan: "single" }),
        await of({ plan: "grouped" }),
        await of({ plan: "grouped", batch: true }),
      ];
      const batches = await Promise.all(
        [1, 0.9, 0.7].map((hitRate) => of({ plan: "single", batch: true, hitRate })),
      );
      const figures = [single, grouped, groupedBatch, ...batches].map((run) => perMillion(run, documents));
      rows.push([model, String(overlap), ...figures.map(dollars)]);
      if (model === PUBLISHED && overlap === 0) mustHold(single, figures, documents);
    }
  }
  console.log(
    "Dollars for a million document tokens (8,000-token documents, 800-token chunks, 100-token contexts)\n",
  );
  const head = [
    "model",
    "overlap",
    "single",
    "grouped",
    "grouped, batch",
    "single, batch 100 %",
    "90 %",
    "70 %",
  ];
  console.log(`${table(head, rows)}\n`);
}

function mustHold(single: Run, figures: readonly number[], documents: readonly Prepared[]): void {
  const [one = 0, grouped = 0, batch = 0] = figures;
  console.log(`single, published prices: ${hold("single", one, 1.02)}`);
  console.log(`grouped: ${hold("grouped", grouped, 0.48)}`);
  console.log(`grouped, batch: ${hold("grouped, batch", batch, 0.24)}`);
  const ratio = single.usage.cacheWriteTokens / tokensOf(documents);
  console.log(`cache-write tokens / document tokens: ${hold("cache writes", ratio, 1.1)}\n`);
}

/** What the chosen plan costs against one call a chunk without a cache. */
async function againstUncached(): Promise<void> {
  const model = "anthropic:claude-haiku-4-5";
  const sets: readonly (readonly [string, readonly Prepared[]])[] = [
    ["codebases", await codebases()],
    ["legalbench-rag-contractnli", await documentsOf("legalbench-rag-contractnli", flags.quick ? 10 : 95)],
    ["made up, 30,000 tokens", await madeUp(pieces, 30_000, 0, flags.quick ? 1 : 3)],
  ];
  const rows: string[][] = [];
  for (const [name, documents] of sets) {
    const chosen = await runContexts({ model, documents, pieces, folder });
    const single = await runContexts({ model, documents, pieces, folder, plan: "single" });
    const times = single.uncached / chosen.cost;
    const cacheable = documents.filter(({ document }) => count(pieces, document.text) >= minimumOf(model));
    const written = single.usage.cacheWriteTokens / Math.max(1, tokensOf(cacheable));
    rows.push([
      name,
      String(documents.length),
      String(documents.reduce((sum, { chunks }) => sum + chunks.length, 0)),
      String(chosen.usage.calls),
      dollars(chosen.cost),
      dollars(single.cost),
      dollars(single.uncached),
      `${times.toFixed(1)} ×`,
      cacheable.length === 0 ? "–" : `${written.toFixed(2)} (${cacheable.length} documents)`,
    ]);
    if (cacheable.length > 0 && written > 1.1) missed.push(`cache writes of ${name}: ${written.toFixed(2)}`);
    if (name.startsWith("made") && times < 4)
      missed.push(`30,000-token documents: ${times.toFixed(1)} × cheaper`);
  }
  console.log(`Against one uncached call a chunk (${model})\n`);
  const head = [
    "documents",
    "n",
    "chunks",
    "calls",
    "chosen plan",
    "single",
    "uncached",
    "cheaper",
    "cache writes / cacheable",
  ];
  console.log(`${table(head, rows)}\n`);
}

/** Estimate and ledger, by language and way of asking. */
async function estimates(): Promise<void> {
  const sets = [
    ["English", "legalbench-rag-contractnli", 6],
    ["English", "scifact", 40],
    ["Indonesian", "react-docs-id", 10],
    ["Indonesian", "idk-mrc-id", 40],
    ["Chinese", "xquad-zh", 10],
    ["code", "codebases", 25],
  ] as const;
  const rows: string[][] = [];
  for (const [language, name, n] of sets) {
    const documents = await documentsOf(name, flags.quick ? Math.ceil(n / 3) : n);
    for (const model of ["anthropic:claude-haiku-4-5", "openai:gpt-4o-mini"]) {
      const cells: string[] = [];
      for (const [plan, batch] of [
        ["single", false],
        ["grouped", false],
        ["grouped", true],
      ] as const) {
        const run = await runContexts({ model, documents, pieces, folder, plan, batch });
        const error = run.estimated / run.cost - 1;
        cells.push(`${dollars(run.estimated)} / ${dollars(run.cost)} (${(error * 100).toFixed(1)} %)`);
        if (exact && Math.abs(error) > 0.1)
          missed.push(
            `estimate for ${name}, ${model}, ${plan}${batch ? ", batch" : ""}: ${(error * 100).toFixed(1)} %`,
          );
      }
      rows.push([language, name, model, ...cells]);
    }
  }
  console.log("Estimate / ledger\n");
  console.log(table(["language", "set", "model", "single", "grouped", "grouped, batch"], rows));
}
