import { appendFileSync, readFileSync } from "node:fs";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type SimulatedProvider, startSimulatedProvider } from "../testing/index.ts";
import { file, konteks, lines, writeQuestions } from "./warranties.fixture.ts";

function writeQuestionsAndMore(): void {
  writeQuestions();
  appendFileSync(file("q.csv"), "Who founded the zeppelin company?,,\n");
}

const answers = (...args: readonly string[]) => ["eval", "answers", "docs", "--questions", "q.csv", ...args];

describe("konteks eval answers without a model", () => {
  it("judges extracts, tells whose fault a wrong answer is, and keeps the run", async () => {
    writeQuestionsAndMore();
    const ran = await konteks(answers("--report", "a.html", "--report", "a.json", "--save", "a.jsonl"));
    expect(ran.code).toBe(0);
    expect(ran.out).toContain("no model was asked");
    expect(ran.out).toContain("7 questions: ");
    expect(ran.out).toMatch(/\| abstention-right +\| +100\.0 \| +1 \|/);
    const { rows, faults, outcomes } = JSON.parse(readFileSync(file("a.json"), "utf8"));
    expect(rows).toHaveLength(7);
    expect(outcomes.right + faults.retrieval + faults.answer).toBe(7);
    expect(readFileSync(file("a.html"), "utf8")).toContain("<svg");
    expect((await konteks(["eval", "report", "a.json"])).out).toContain("7 questions");
    const compared = await konteks(["eval", "compare", "a.jsonl", "a.jsonl", "--metrics", "correct"]);
    expect(compared.out).toMatch(/\| correct \| +≈ 0 \| .* 7 \|/);
    expect(lines("a.jsonl")[0].setting).toBe("answers, extracts");
  });

  it("makes an index anew that was made with other settings", async () => {
    writeQuestionsAndMore();
    await konteks(["ingest", "docs", "--index", "docs/.konteks", "--context", "none"]);
    const other = answers("--context", "structural");
    expect((await konteks(other)).err).toContain("--rebuild");
    expect((await konteks([...other, "--rebuild"])).code).toBe(0);
  });

  it("refuses an index that is not there, and a number of runs that cannot be", async () => {
    writeQuestionsAndMore();
    expect((await konteks(["eval", "answers", "--questions", "q.csv"])).code).toBe(1);
    expect((await konteks(answers("--grade-runs", "0"))).err).toContain("--grade-runs must be");
  });
});

describe("konteks eval with a model that answers", () => {
  let provider: SimulatedProvider;
  let env: Record<string, string>;
  beforeEach(async () => {
    writeQuestionsAndMore();
    provider = await startSimulatedProvider();
    env = { ANTHROPIC_API_KEY: "test", ANTHROPIC_BASE_URL: provider.baseUrls.anthropic ?? "" };
    provider.script(({ system, messages }) => {
      const prompt = messages.at(-1)?.text ?? "";
      if (system.startsWith("You grade"))
        return JSON.stringify({ reason: "as it stands there", correct: true });
      if (/zeppelin/.test(prompt)) return "NOT_FOUND";
      const [, number, years] =
        /<source[^>]*number="(\d+)"[\s\S]*?The warranty runs for (\d+) years/.exec(prompt) ?? [];
      const quote = `The warranty runs for ${years} years`;
      return `It is ${years} years [${number}].\n<quotes>\n[${number}] ${quote}\n</quotes>`;
    });
  });
  afterEach(() => provider.close());

  const model = ["--model", "anthropic:claude-haiku-4-5"];
  const grader = ["--grader", "anthropic:claude-sonnet-4-5", "--grade-runs", "2"];

  it("prices first, grades as often as asked, and pays for nothing twice", async () => {
    const refused = await konteks(answers(...model, ...grader), { env });
    expect(refused).toMatchObject({ code: 2, out: "" });
    expect(refused.err).toMatch(
      /claude-haiku-4-5 would answer \(at most 7 calls, for at most about \$0\.\d\d\); .*claude-sonnet-4-5 would grade \(at most 12 calls.*Nothing was paid/s,
    );
    expect(provider.ledger).toHaveLength(0);
    const paid = await konteks(answers(...model, ...grader, "--yes", "--json"), { env });
    expect(paid.code).toBe(0);
    const result = JSON.parse(paid.out);
    expect(result).toMatchObject({
      model: "anthropic:claude-haiku-4-5",
      grader: { model: "anthropic:claude-sonnet-4-5", runs: 2 },
      outcomes: { right: 7 },
      summary: { "graded-agreement": { mean: 1, n: 6 }, "abstention-right": { mean: 1, n: 1 } },
    });
    expect(result.cost.paid).toBeGreaterThan(0);
    const calls = provider.ledger.length;
    expect(calls).toBe(7 + 12);
    const again = JSON.parse((await konteks(answers(...model, ...grader, "--yes", "--json"), { env })).out);
    expect(again.cost.paid).toBe(0);
    expect(again.outcomes).toEqual(result.outcomes);
    expect(provider.ledger).toHaveLength(calls);
  }, 60_000);

  it("refuses answers of the simulated provider that nobody wrote", async () => {
    provider.script(undefined);
    const { code, err } = await konteks(answers(...model, "--yes"), { env });
    expect(err).toMatch(/\d answers were written by the simulated provider/);
    expect(code).toBe(2);
  });

  it("says when nothing was searched for", async () => {
    const whole = await konteks(answers(...model, "--yes"), { env });
    expect(whole.out).toContain("nothing was searched for");
    const searched = await konteks(answers(...model, "--yes", "--whole", "never"), { env });
    expect(searched.out).not.toContain("nothing was searched for");
  });

  it("answers over the ladder's step by extracts when the price is not agreed to", async () => {
    const ladder = ["eval", "ladder", "docs", "--questions", "q.csv", ...model];
    const ran = await konteks([...ladder, "--report", "l.html"], { env });
    expect(ran.code).toBe(0);
    expect(ran.err).toContain("Not agreed to: answers are extracts");
    expect(ran.out).toMatch(/Answers over "rerank": after the steps, .*the last one, since no step is named/);
    expect(ran.out).toContain("Too few questions to name a step: 6 have a gold passage, and it takes 10.");
    expect(ran.out).toContain("7 questions, 1 of them without a gold passage");
    expect(readFileSync(file("l.html"), "utf8")).toMatch(
      /Too few questions to name a step: 6 have[\s\S]*Answers over “rerank”<\/h2><p class="soft">After the steps, /,
    );
    expect(provider.ledger).toHaveLength(0);
    expect((await konteks([...ladder, "--no-answers"], { env })).out).not.toContain("Answers over");
  }, 60_000);

  it("tells what vectors by a model cost, and refuses an index that lacks them", async () => {
    const sweep = ["eval", "sweep", "docs", "--questions", "q.csv", "--vary", "mode=text"];
    const embedding = ["--vary", "embedding-model=openai:text-embedding-3-small"];
    const openai = { OPENAI_API_KEY: "test", OPENAI_BASE_URL: "http://127.0.0.1:1" };
    const { code, err } = await konteks([...sweep, ...embedding], { env: openai });
    expect(err).toContain("openai:text-embedding-3-small embeds the documents for 1 index for about $0.00");
    expect(err).toMatch(/6 of 6 chunks lack the context or vector/);
    expect(code).toBe(1);
  }, 60_000);

  it("chooses how deep to read by correct answers", async () => {
    const sweep = [
      "eval",
      "sweep",
      "docs",
      "--questions",
      "q.csv",
      "--vary",
      "mode=hybrid",
      ...model,
      "--yes",
    ];
    const ran = await konteks([...sweep, "--report", "s.html", "--report", "s.json"], { env });
    expect(ran.out).toMatch(
      /\*\*Read \d+ hits?\*\*: the fewest from which anthropic:claude-haiku-4-5 answers/,
    );
    expect(ran.out).toContain("correct answers");
    const { depth } = JSON.parse(readFileSync(file("s.json"), "utf8"));
    expect(depth.answered.depths.map(({ k }: { k: number }) => k)).toEqual([1, 3, 5, 10, 20]);
    expect(provider.ledger.length).toBeGreaterThan(7);
  }, 60_000);
});
