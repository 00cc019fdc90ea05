/**
 * What a search costs beside its two lists: analysis of the query, fusion, joining with what is stored, explanations off.
 *
 *   npm run bench:overhead                       `codebases`, both lists 150 deep
 *     --set scifact                              another evaluation set
 *     --questions 200                            at most so many
 *
 * Both lists are searched for every query (a fixed weight), each query twice; the first round warms up and is not counted.
 */
import { parseArgs } from "node:util";
import { percentile } from "../src/eval/bootstrap.ts";
import { buildIndex, sample, workbench } from "../src/eval/build.ts";
import { table } from "../src/eval/report/table.ts";
import { createLexicalEmbedder } from "../src/models/lexical/index.ts";
import { resolveReranker } from "../src/models/rerank/resolve.ts";
import { openKonteks } from "../src/open.ts";
import { type QueryParts, search } from "../src/query/query.ts";
import type { Embedder, SearchOptions, Store } from "../src/spec/index.ts";
import { openSqliteStore } from "../src/stores/sqlite/index.ts";
import { DEFAULT_BM25 } from "../src/text/bm25.ts";
import { loadSet } from "./sets.ts";

const { values: flags } = parseArgs({
  options: {
    set: { type: "string", default: "codebases" },
    questions: { type: "string", default: "200" },
  },
});

const lexical = createLexicalEmbedder();

/** Milliseconds by what they were spent on, of one query. */
type Spent = Record<string, number>;

const set = await loadSet(flags.set);
await using bench = await workbench(openKonteks);
await (await buildIndex(bench, set, {})).konteks.close();
const store = await openSqliteStore({ path: `${bench.folder}/index.sqlite`, readOnly: true });
const queries = sample(set.questions, Number(flags.questions)).map(({ text }) => text);
const base: SearchOptions = { weights: { vector: 0.3 } };
const rows = [
  ...(await measure("fused", base)),
  ...(await measure("fused, explained", { ...base, explain: true })),
  ...(await measure("reranked (built-in, 50)", { ...base, rerank: true })),
];
await store.close();
console.log(`${flags.set}: ${queries.length} queries, milliseconds, p50 / p95\n`);
console.log(table(["search", "whole", "text list", "vector list", "around them", "fuse", "rerank"], rows));

async function measure(name: string, options: SearchOptions): Promise<readonly (readonly string[])[]> {
  const all: Spent[] = [];
  for (const counted of [false, true])
    for (const query of queries) {
      const spent = await one(query, options);
      if (counted) all.push(spent);
    }
  const cell = (of: (spent: Spent) => number) => {
    const sorted = all.map(of).toSorted((a, b) => a - b);
    return `${percentile(sorted, 0.5).toFixed(2)} / ${percentile(sorted, 0.95).toFixed(2)}`;
  };
  const around = ({ whole = 0, text = 0, vector = 0, rerank = 0 }: Spent) => whole - text - vector - rerank;
  const cells = ["whole", "text", "vector"].map((part) => cell((spent) => spent[part] ?? 0));
  return [
    [name, ...cells, cell(around), ...["fuse", "rerank"].map((part) => cell((spent) => spent[part] ?? 0))],
  ];
}

async function one(query: string, options: SearchOptions): Promise<Spent> {
  const spent: Spent = {};
  const begun = performance.now();
  const { trace } = await search(partsCounting(spent), query, options);
  spent.whole = performance.now() - begun;
  for (const { stage, ms } of trace) spent[stage] = ms;
  return spent;
}

/** The index's parts, which note the time that is spent in the lists. */
function partsCounting(spent: Spent): QueryParts {
  const counted = <T>(name: string, work: () => Promise<T>) => {
    const begun = performance.now();
    return work().finally(() => {
      spent[name] = (spent[name] ?? 0) + performance.now() - begun;
    });
  };
  const embedder: Embedder = {
    ...lexical,
    embedQuery: (text, given) => counted("vector", () => lexical.embedQuery(text, given)),
  };
  const counting: Store = {
    ...store,
    searchText: (query) => counted("text", () => store.searchText(query)),
    searchVector: (query) => counted("vector", () => store.searchVector(query)),
  };
  return {
    store: counting,
    embedder,
    bm25: DEFAULT_BM25,
    resolveReranker: (model) => resolveReranker(model),
  };
}
