import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { buildIndex, documentsOf, sample, workbench } from "./build.ts";
import { checkAgainst } from "./check.ts";
import { compareRuns } from "./compare.ts";
import { openFake } from "./fake-konteks.fixture.ts";
import { readResult, writeResult } from "./result-file.ts";
import type { RunResult } from "./rows.ts";
import { runQuestions } from "./run.ts";
import { differences, latency, summarise, summariseByTag } from "./summary.ts";
import type { EvaluationSet } from "./types.ts";

const question = (id: string, text: string, documentId: string, start: number, end: number) => ({
  id,
  text,
  gold: [{ documentId, start, end, grade: 1 }],
  tags: [],
  unanswerable: false,
  answers: [],
});

/** Chunks of ten characters: "apples are", " red and a", " pear not." and "plums grow", " on trees." */
const set: EvaluationSet = {
  name: "fruit",
  documents: [
    { id: "a", text: "apples are red and a pear not." },
    { id: "b", text: "plums grow on trees." },
  ],
  questions: [
    question("q1", "apples red", "a", 11, 14),
    question("q2", "where do plums grow", "b", 0, 10),
    { ...question("q3", "price of melons", "b", 0, 0), gold: [], unanswerable: true },
  ],
};

async function run(setting = "ten"): Promise<RunResult> {
  await using bench = await workbench(openFake);
  await using built = await buildIndex(bench, set, { chunk: { unit: "characters", size: 10, overlap: 0 } });
  return {
    set: set.name,
    setting,
    index: built.facts,
    rows: await runQuestions(built.konteks, set.questions),
  };
}

describe("running questions", () => {
  it("judges each question's hits and leaves unscored metrics out", async () => {
    const { rows, index } = await run();
    expect(index).toMatchObject({ documents: 2, chunks: 5, tokens: 11, incomplete: 0 });
    expect(rows.map((row) => row.places)).toEqual([[2], [1], []]);
    expect(rows[0]?.values).toMatchObject({ "recall@5": 1, "mrr@10": 0.5, "top-score-wrong": 1, empty: 0 });
    expect(rows[0]?.hits.map((hit) => hit.chunkId)).toEqual(["a#0", "a#1"]);
    expect(rows[2]?.values).toEqual({ empty: 1 });
  });

  it("refuses an empty index, and texts that the gold was not made for", async () => {
    await using bench = await workbench(openFake);
    await expect(buildIndex(bench, { ...set, documents: [] }, {})).rejects.toThrow(
      /empty.*Ingest documents first/,
    );
    await expect(documentsOf(await openFake(), "mine")).rejects.toThrow(/"mine" is empty/);
    const changed = async () => {
      const konteks = await openFake();
      const record = await konteks.document("a");
      return { ...konteks, document: async () => record };
    };
    await expect(buildIndex({ ...bench, open: changed }, set, {})).rejects.toThrow(/another text of "a"/);
  });

  it("refuses an index that a document is missing from", async () => {
    await using bench = await workbench(async (options) => {
      const konteks = await openFake(options);
      const ingest: typeof konteks.ingest = async (source) => ({
        ...(await konteks.ingest(source)),
        failed: [{ id: "c", reason: "it is encrypted." }],
      });
      return { ...konteks, ingest };
    });
    await expect(buildIndex(bench, set, {})).rejects.toThrow(
      /A document could not be indexed, the first is "c": it is encrypted\. Figures/,
    );
  });

  it("refuses an index in which much is missing, and counts a little", async () => {
    const missing = (count: number) =>
      workbench(async (options) => {
        const konteks = await openFake(options);
        const incomplete = Array(count).fill({ chunkId: "a#0", reason: "the model was busy" });
        const ingest: typeof konteks.ingest = async (source) => ({
          ...(await konteks.ingest(source)),
          incomplete,
        });
        return { ...konteks, ingest };
      });
    const chunk = { unit: "characters", size: 1, overlap: 0 } as const;
    await using few = await missing(1);
    await using built = await buildIndex(few, set, { chunk });
    expect(built.facts).toMatchObject({ incomplete: 1 });
    await using many = await missing(10);
    await expect(buildIndex(many, set, { chunk })).rejects.toThrow(
      /10 of \d+ chunks lack .*the model was busy/,
    );
  });

  it.each(["rerank", "vector search"])("refuses figures of a %s that was left out", async (stage) => {
    await using bench = await workbench(openFake);
    await using built = await buildIndex(bench, set, {});
    const notes = ["something else", `${stage}: skipped (busy)`];
    const konteks = {
      ...built.konteks,
      search: async (query: string) => ({ query, hits: [], notes, trace: [] }),
    };
    await expect(runQuestions(konteks, set.questions)).rejects.toThrow(
      `question "q1" ${stage}: skipped (busy)`,
    );
  });

  it("samples evenly", () => {
    const questions = Array.from({ length: 10 }, (_, index) => question(`${index}`, "", "a", 0, 1));
    expect(sample(questions, 5).map(({ id }) => id)).toEqual(["0", "2", "4", "6", "8"]);
    expect(sample(questions, 20)).toHaveLength(10);
    expect(sample(questions, 7)).toHaveLength(7);
  });
});

describe("summaries", () => {
  it("average over the questions that a metric scores", async () => {
    const { rows } = await run();
    const summary = summarise(rows, ["mrr@10", "empty", "top-score-unanswerable"]);
    expect(summary["mrr@10"]).toMatchObject({ mean: 0.75, n: 2 });
    expect(summary.empty).toMatchObject({ n: 3 });
    expect(summary.empty?.mean).toBeCloseTo(1 / 3, 12);
    expect(summary["top-score-unanswerable"]).toBeUndefined();
  });

  it("are kept apart by tag", () => {
    const [first, second, third] = made(3, 2).rows;
    const rows = [
      { ...first, tags: ["fact", "long"] },
      { ...second, tags: ["fact"] },
      { ...third, tags: ["fact", "long"] },
    ] as RunResult["rows"];
    const byTag = summariseByTag(rows, ["recall@20"]);
    expect(
      [...byTag].map(([tag, summary]) => [tag, summary["recall@20"]?.mean, summary["recall@20"]?.n]),
    ).toEqual([
      ["fact", 2 / 3, 3],
      ["long", 0.5, 2],
    ]);
  });

  it("pair by question, whatever the order, and count what rose and fell", async () => {
    const { rows } = await run();
    const better = rows.map((row) =>
      row.id === "q1" ? { ...row, values: { ...row.values, "mrr@10": 1 } } : row,
    );
    const difference = differences(rows, better.toReversed(), ["mrr@10"])["mrr@10"];
    expect(difference).toMatchObject({ mean: 0.25, up: 1, down: 0, n: 2 });
  });

  it("give the median and the 95th percentile of the times", () => {
    const rows = Array.from({ length: 101 }, (_, ms) => ({ ms })) as unknown as RunResult["rows"];
    expect(latency(rows)).toEqual({ p50: 50, p95: 95 });
  });
});

/** A run of n questions of which the first `right` have recall@20 1. */
function made(n: number, right: number): RunResult {
  const index = {
    documents: 1,
    chunks: 1,
    tokens: 1,
    ms: 1,
    usage: { contexts: none, embeddings: none },
    incomplete: 0,
    simulated: 0,
  };
  const rows = Array.from({ length: n }, (_, at) => ({
    id: `q${at}`,
    text: `question ${at}`,
    tags: [],
    ms: 1,
    values: { "recall@20": Number(at < right) },
    places: [at < right ? 1 : null],
    hits: [],
  }));
  return { set: "made", setting: `${right}`, index, rows };
}

const none = { calls: 0, inputTokens: 0, outputTokens: 0, cacheReadTokens: 0, cacheWriteTokens: 0 };
const only = { metrics: ["recall@20"] };

describe("the gate", () => {
  it("lets chance and gains through and stops a certain loss", () => {
    expect(checkAgainst(made(200, 160), made(200, 159), only).ok).toBe(true);
    expect(checkAgainst(made(200, 160), made(200, 180), only).ok).toBe(true);
    const fell = checkAgainst(made(200, 160), made(200, 140), only);
    expect(fell).toMatchObject({
      ok: false,
      lines: [expect.stringMatching(/recall@20: fell, −10\.0 points .*200/)],
    });
    expect(checkAgainst(made(200, 160), made(200, 140), { ...only, tolerance: 0.1 }).ok).toBe(true);
  });

  it("stops when questions have gone or nothing is scored", () => {
    const fewer = { ...made(200, 160), rows: made(200, 160).rows.slice(1) };
    expect(checkAgainst(made(200, 160), fewer, only)).toMatchObject({
      ok: false,
      lines: [/held/, /1 question of the baseline was not asked, the first is q0/].map((line) =>
        expect.stringMatching(line),
      ),
    });
    expect(checkAgainst(made(9, 9), made(9, 9), { metrics: ["mrr@10"] }).ok).toBe(false);
  });
});

describe("comparing runs", () => {
  it("names the questions that changed", () => {
    const compared = compareRuns(made(10, 6), made(10, 8));
    expect(compared.better.map(({ id }) => id)).toEqual(["q6", "q7"]);
    expect(compared.worse).toEqual([]);
    expect(compared.differences["recall@20"]).toMatchObject({ up: 2, down: 0 });
    expect(compareRuns(made(10, 8), made(9, 6))).toMatchObject({
      onlyBefore: ["q9"],
      worse: [{ id: "q6" }, { id: "q7" }],
    });
  });

  it("reads back what was written, and refuses other files by line", async () => {
    const folder = await mkdtemp(join(tmpdir(), "konteks-result-"));
    const path = join(folder, "deep", "run.jsonl");
    const result = await run();
    await writeResult(path, result);
    expect(await readResult(path)).toEqual(result);
    await writeFile(path, `{"some":"thing"}\n`);
    await expect(readResult(path)).rejects.toThrow(/run\.jsonl:1: not a line of an evaluation result/);
    await rm(folder, { recursive: true });
  });
});
