import { describe, expect, it } from "vitest";
import type { AnswersResult } from "../answers/run-answers.ts";
import { points } from "../ladder/advise.ts";
import type { Ladder, LadderRow } from "../ladder/ladder.ts";
import type { QuestionRow } from "../rows.ts";
import { answersMarkdown } from "./answers-markdown.ts";
import { curve } from "./charts.ts";
import { dollars, percent, signed, withInterval } from "./figures.ts";
import { ladderHtml } from "./ladder-html.ts";
import { ladderMarkdown } from "./ladder-markdown.ts";
import { questionStories } from "./questions.ts";
import { table, width } from "./table.ts";

const none = { calls: 0, inputTokens: 0, outputTokens: 0, cacheReadTokens: 0, cacheWriteTokens: 0 };
const hit = {
  chunkId: "d#0",
  documentId: "d",
  start: 0,
  end: 9,
  score: 1,
  tokens: 2,
  goldTokens: 0,
  finds: [],
  covers: {},
};
const row = (id: string, places: QuestionRow["places"], hits: QuestionRow["hits"] = [hit]): QuestionRow => ({
  id,
  text: `Is <b>${id}</b> & co. found?`,
  tags: [],
  ms: 2,
  values: {},
  places,
  hits,
});
const interval = (mean: number) => ({ mean, low: mean - 0.02, high: mean + 0.02, error: 0.01, n: 4 });

function step(name: string, mean: number, rows: readonly QuestionRow[], change?: number): LadderRow {
  const metrics = ["recall@5", "recall@10", "recall@20"];
  return {
    name,
    adds: "",
    aside: false,
    plan: { index: {}, search: {} },
    summary: {
      ...Object.fromEntries(metrics.map((metric) => [metric, interval(mean)])),
      "failure@20": interval(1 - mean),
    },
    change: change === undefined ? {} : { "recall@20": { ...interval(change), up: 2, down: 1 } },
    failureReduction: change === undefined ? undefined : 0.25,
    latency: { p50: 2.34, p95: 15.2 },
    index: {
      documents: 1,
      chunks: 3,
      tokens: 9,
      ms: 1200,
      usage: { contexts: none, embeddings: none },
      incomplete: 0,
      simulated: 0,
    },
    cost: { index: 0, thousandQueries: undefined },
    rows,
  };
}

const ladder: Ladder = {
  set: "a < b",
  questions: 5,
  unscored: 1,
  decisive: "recall@20",
  metrics: ["recall@5", "recall@10", "recall@20", "failure@20"],
  steps: [
    step("basic", 0.8, [
      row("q1", [1]),
      row("q2", [3, null]),
      row("q3", [null]),
      row("q4", [null], []),
      row("q5", []),
    ]),
    step(
      "hybrid",
      0.85,
      [row("q1", [null]), row("q2", [3, null]), row("q3", [null]), row("q4", [null], []), row("q5", [])],
      0.05,
    ),
  ],
  skipped: [{ name: "LLM context", adds: "", skipped: "no model is named" }],
  advice: { take: "hybrid", reasons: ["It is the best."], uncertain: [] },
};

describe("figures", () => {
  it("round and mark what is not certain or not known", () => {
    expect(percent(0.9321)).toBe("93.2");
    expect(withInterval(interval(0.5))).toBe("50.0 ± 2.0");
    expect(withInterval(undefined)).toBe("–");
    const alike = { mean: 1, low: 1, high: 1, error: 0 };
    expect([1, 29, 30].map((n) => withInterval({ ...alike, n }))).toEqual(["100.0", "100.0", "100.0 ± 0.0"]);
    expect(signed(interval(0.05))).toBe("+5.0 (3.0 to 7.0)");
    expect(signed(interval(-0.01))).toBe("≈ −1.0 (−3.0 to 1.0)");
    expect(signed({ ...interval(0), low: -0.0004, high: 0 })).toBe("≈ 0");
    expect(signed({ ...interval(-0.0001), low: -0.02, high: 0.02 })).toBe("≈ 0.0 (−2.0 to 2.0)");
    expect(percent(-0.0001)).toBe("0.0");
    expect([dollars(undefined), dollars(0), dollars(0.01234), dollars(12.3)]).toEqual([
      "–",
      "$0",
      "$0.012",
      "$12.30",
    ]);
  });

  it("tables line up in any script", () => {
    const lines = table(
      ["a", "b"],
      [
        ["合同", "1"],
        ["ค่าปรับ", "1"],
        ["é 😀", "1"],
      ],
    ).split("\n");
    expect(new Set(lines.map(width))).toEqual(new Set([15]));
    expect(lines[2]).toBe("| 合同  |   1 |");
  });

  it("tables keep a bar within its cell", () => {
    expect(table(["a"], [["x | y"]])).toBe("| a      |\n| ------ |\n| x \\| y |");
  });

  it("tables line up", () => {
    expect(
      table(
        ["a", "b"],
        [
          ["long", "1"],
          ["x", "1000"],
        ],
      ).split("\n"),
    ).toEqual(["| a    |    b |", "| ---- | ---: |", "| long |    1 |", "| x    | 1000 |"]);
  });
});

describe("the ladder in Markdown", () => {
  it("has a row for each step, what was left out, and the advice", () => {
    const text = ladderMarkdown(ladder);
    expect(text).toMatch(
      /\| hybrid .*85\.0 ± 2\.0 .*15\.0 \|\s+25\.0 % \|\s+\+5\.0 \(3\.0 to 7\.0\) \|\s+50\.0 \/ 25\.0 %/,
    );
    expect(text).toContain('"LLM context" is left out: no model is named.');
    expect(text).toContain('**Take "hybrid".** It is the best.');
  });
});

describe("what became of each question", () => {
  it("gives places by step and the reason of a miss, misses first, unscored questions left out", () => {
    expect(questionStories(ladder.steps).map(({ id, places, reason }) => [id, ...places, reason])).toEqual([
      ["q1", "1", "–", 'found by "basic", lost since'],
      ["q2", "3, –", "3, –", "other passages of it were found"],
      ["q3", "–", "–", "no step found it"],
      ["q4", "–", "–", "nothing was retrieved"],
    ]);
  });
});

describe("the ladder as a page", () => {
  it("needs nothing from the network, escapes what it shows, and draws every step", async () => {
    const html = await ladderHtml(ladder);
    expect(html).not.toMatch(/(?:src|href)\s*=|url\(|@import|<script/);
    expect(html).toContain("Is &lt;b&gt;q1&lt;/b&gt; &amp; co. found?");
    expect(html).toContain("a &lt; b");
    // Three charts, each drawn wide and narrow.
    expect(html.match(/<svg/g)).toHaveLength(6);
    // Three metrics of two steps.
    expect(
      html
        .split("<figure>")[1]
        ?.split('class="narrow"')[0]
        ?.match(/<circle/g),
    ).toHaveLength(6);
    expect(html).toContain("prefers-color-scheme: dark");
  });

  it("draws recall by depth from the places", () => {
    expect(curve({ rows: [row("q1", [2]), row("q2", [1, null]), row("q3", [])] }, 3)).toEqual([25, 75, 75]);
  });
});

describe("answers on a terminal", () => {
  const answer = (outcome: AnswersResult["rows"][number]["outcome"]): AnswersResult["rows"][number] => ({
    id: outcome,
    text: "How long does the warranty of the tools run that were bought in another country?",
    tags: [],
    ms: 1,
    values: {},
    places: [null],
    outcome,
    fault: "retrieval",
    verdicts: [],
    answer: {
      text: "It runs for as long as ".repeat(9),
      citations: [],
    } as unknown as AnswersResult["rows"][number]["answer"],
  });
  const result: AnswersResult = {
    set: "s",
    summary: { "citation-accuracy": interval(0.5), "sentences-citing-gold": interval(0.5) },
    outcomes: { right: 0, wrong: 0, "not answered": 1, "made up": 0, "not scored": 0 },
    faults: { retrieval: 1, answer: 0 },
    cost: { thousandAnswers: undefined, paid: undefined },
    rows: [answer("not answered")],
  };

  it.each([40, 60, 80, 100, 200])("have no table that is wider than its %i columns", (columns) => {
    const widest = answersMarkdown(result, columns)
      .split("\n")
      .filter((line) => line.startsWith("|"))
      .map(width);
    expect(widest.length).toBeGreaterThan(4);
    expect(Math.max(...widest)).toBeLessThanOrEqual(columns);
    expect(answersMarkdown(result, columns)).toContain("How long");
  });

  it("count one of a thing as one, and nothing as nothing", () => {
    expect(answersMarkdown(result)).toContain("1 question: 1 not answered.");
    expect(points({ mean: -0, low: -0.0001, high: 0, error: 0, n: 1 })).toBe("≈ 0 points");
  });
});
