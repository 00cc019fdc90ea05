import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { startSimulatedProvider } from "../testing/index.ts";
import { file, konteks, lines, NAMES, text, writeQuestions } from "./warranties.fixture.ts";

describe("konteks eval add", () => {
  it("stores the offsets of the quoted passage, and a question without one as not answered", async () => {
    await konteks(["ingest", "docs"]);
    const gold = ["--gold", "docs/Birch.md#for 3 years", "--gold", "Cedar.md#for 4\nyears"];
    const added = await konteks(["eval", "add", "Which warranties are short?", ...gold, "--tag", "list"]);
    expect(added).toMatchObject({ code: 0, out: "" });
    expect((await konteks(["eval", "add", "Who founded it?"])).code).toBe(0);
    const [first, second] = lines("questions.jsonl");
    expect(first).toMatchObject({
      tags: ["list"],
      gold: [{ document: "Birch.md" }, { document: "Cedar.md" }],
    });
    const [{ start, end }] = first.gold;
    expect(text("Birch").slice(start, end)).toBe("for 3 years");
    expect(second).toMatchObject({ unanswerable: true, gold: [] });
  });

  it("adds the questions of a CSV with their offsets, once", async () => {
    await konteks(["ingest", "docs"]);
    writeQuestions();
    const from = ["eval", "add", "--from", "q.csv"];
    expect((await konteks(from)).err).toContain("Added 6 questions");
    expect((await konteks(from)).err).toMatch(/Added 0 questions .*; 6 stood there already/);
    const all = lines("questions.jsonl");
    expect(all).toHaveLength(6);
    const [{ document, start, end }] = all[0].gold;
    expect(text(document.replace(".md", "")).slice(start, end)).toBe("The warranty runs for 2 years");
    writeFileSync(file("q.csv"), "question,quote,document\nWhat?,words that stand nowhere,Alder.md\n");
    expect(await konteks(from)).toMatchObject({ code: 2, err: expect.stringContaining("q.csv:2") });
    expect(lines("questions.jsonl")).toHaveLength(6);
    expect((await konteks(["eval", "add"])).code).toBe(2);
    expect((await konteks(["eval", "add", "q.csv"])).err).toContain("with --from q.csv.");
    expect((await konteks([...from, "x"])).err).toContain("not both");
  });

  it("refuses a quote that stands nowhere or twice, and a flag of another form", async () => {
    await konteks(["ingest", "docs"]);
    const add = (gold: string) => konteks(["eval", "add", "What?", "--gold", gold]);
    expect(await add("Birch.md#for 9 years")).toMatchObject({
      code: 2,
      err: expect.stringMatching(/does not stand/),
    });
    expect((await add("Birch.md#of")).err).toMatch(/stands 2 times/);
    expect((await add("Birch.md")).err).toContain("--gold must be file#quote");
    expect((await add("Brch.md#for")).err).toContain('"Brch.md" is not in the corpus');
  });
});

describe("konteks eval ladder and report", () => {
  it("measures the steps over a folder, leaves no index there, and writes the reports", async () => {
    writeQuestions();
    const reports = ["--report", "r/ladder.html", "--report", "r/ladder.json"];
    const ran = await konteks(["eval", "ladder", "docs", "--questions", "q.csv", ...reports]);
    expect(ran.code).toBe(0);
    expect(ran.out).toMatch(/\| hybrid +\|/);
    // So few questions choose no step.
    expect(ran.out).toMatch(/too few to rely on/);
    expect(ran.out).toContain("6 questions are too few");
    expect(
      Math.max(
        ...ran.out
          .split("\n")
          .filter((line) => line.startsWith("|"))
          .map(({ length }) => length),
      ),
    ).toBeLessThanOrEqual(100);
    expect(ran.err).toContain("left out: LLM context");
    expect(readFileSync(file("r/ladder.html"), "utf8")).toContain("<svg");
    await expect(konteks(["search", "x", "--index", "docs/.konteks"])).resolves.toMatchObject({ code: 1 });
    const again = await konteks(["eval", "report", "r/ladder.json", "--report", "r/again.html"]);
    expect(again.code).toBe(0);
    expect(readFileSync(file("r/again.html"), "utf8")).toBe(readFileSync(file("r/ladder.html"), "utf8"));
    expect((await konteks(["eval", "report", "q.csv"])).err).toContain("is no ladder, sweep or answers");
  });

  it("tells wrong use before anything is measured", async () => {
    writeQuestions();
    const ladder = (...args: readonly string[]) =>
      konteks(["eval", "ladder", "docs", "--questions", "q.csv", ...args]);
    expect(await ladder("--report", "x.pdf")).toMatchObject({
      code: 2,
      err: expect.stringContaining("must end in .html"),
    });
    expect((await ladder("--metric", "recal@5")).err).toContain('no metric "recal@5"');
    writeFileSync(file("q.csv"), "question,quote\nWhat?,words that stand nowhere\n");
    expect(await ladder()).toMatchObject({ code: 2, err: expect.stringContaining("q.csv:2") });
    expect((await konteks(["eval", "ladder", "docs"])).err).toContain("There are no questions at");
  });

  it("refuses questions among the documents, and leaves out those that konteks wrote", async () => {
    writeQuestions();
    writeFileSync(file("docs/q.csv"), readFileSync(file("q.csv"), "utf8"));
    const told = await konteks(["eval", "ladder", "docs", "--questions", "docs/q.csv"]);
    expect(told).toMatchObject({ code: 2, err: expect.stringContaining("lie among the documents") });
    expect((await konteks(["eval", "answers", "docs", "--questions", "docs/q.csv"])).code).toBe(2);
    rmSync(file("docs/q.csv"));
    const add = ["eval", "add", "Who founded it?", "--index", "docs/.konteks"];
    await konteks(["ingest", "docs", "--index", "docs/.konteks"]);
    expect((await konteks([...add, "--questions", "docs/questions.jsonl"])).code).toBe(0);
    const again = await konteks(["ingest", "docs", "--index", "docs/.konteks", "--json"]);
    expect(JSON.parse(again.out)).toMatchObject({ added: 0, unchanged: 6 });
    const own = ["eval", "answers", "docs", "--questions", "docs/questions.jsonl", "--json"];
    expect(JSON.parse((await konteks(own)).out).outcomes).toMatchObject({ right: 1 });
  });

  it("measures over no more than what is in the index, whatever else lies in its folder", async () => {
    await konteks(["ingest", "docs/Alder.md"]);
    await konteks([
      "eval",
      "add",
      "How many years on Alder tools?",
      "--gold",
      "docs/Alder.md#runs for 2 years",
    ]);
    const ladder = await konteks(["eval", "ladder", "--no-answers", "--json"]);
    const { steps } = JSON.parse(ladder.out) as { steps: { index: { documents: number } }[] };
    expect(new Set(steps.map(({ index }) => index.documents))).toEqual(new Set([1]));
  });

  it("takes the documents of the index, and refuses one that is empty or older than its files", async () => {
    writeQuestions();
    await konteks(["ingest", "docs"]);
    expect((await konteks(["eval", "ladder", "--questions", "q.csv", "--json"])).code).toBe(0);
    writeFileSync(file("docs/Alder.md"), text("Alder").replace("2 years", "9 years"));
    const { code, err } = await konteks(["eval", "ladder", "--questions", "q.csv"]);
    expect(err).toContain('older than 1 of its files, the first is "Alder.md"');
    expect(code).toBe(2);
    for (const name of NAMES) await konteks(["delete", `${name}.md`]);
    expect((await konteks(["eval", "ladder", "--questions", "q.csv"])).err).toContain("is empty");
  });
});

describe("konteks eval ladder with a context model", () => {
  it("prices first, pays once, gives the contexts to the index, and refuses simulated ones", async () => {
    writeQuestions();
    const provider = await startSimulatedProvider();
    const env = { ANTHROPIC_API_KEY: "test", ANTHROPIC_BASE_URL: provider.baseUrls.anthropic ?? "" };
    const model = ["--context-model", "anthropic:claude-haiku-4-5"];
    const ladder = ["eval", "ladder", "docs", "--questions", "q.csv", ...model];
    try {
      const refused = await konteks(ladder, { env });
      expect(refused).toMatchObject({
        code: 2,
        err: expect.stringMatching(/would write 6 contexts .*Nothing was paid/s),
      });
      expect(provider.ledger).toHaveLength(0);
      const simulated = await konteks([...ladder, "--yes"], { env });
      expect(simulated.err).toContain("contexts were written by the simulated provider");
      rmSync(file("docs/.konteks"), { recursive: true });
      provider.script(() => "This passage is about the warranty and the returns of these tools.");
      await konteks(["ingest", "docs", "--index", "docs/.konteks"]);
      const paid = await konteks([...ladder, "--yes", "--json"], { env });
      expect(paid.code).toBe(0);
      const steps = JSON.parse(paid.out).steps as { name: string; cost: { index: number } }[];
      const cost = steps.find(({ name }) => name === "LLM context")?.cost.index;
      expect(cost).toBeGreaterThan(0);
      const calls = provider.ledger.length;
      const again = await konteks([...ladder, "--report", "l.json"], { env });
      expect(again.out).toContain("LLM context");
      // The index takes over what was paid for here.
      const ingested = await konteks(["ingest", "docs", "--index", "docs/.konteks", "--rebuild", ...model], {
        env,
      });
      expect(ingested.code).toBe(0);
      expect(provider.ledger).toHaveLength(calls);
      for (const name of ["l.json", "docs/.konteks/eval/contexts.sqlite"]) {
        expect(readFileSync(file(name), "latin1")).not.toContain('"test"');
      }
    } finally {
      await provider.close();
    }
  }, 120_000);
});

describe("konteks eval sweep", () => {
  it("tries the lists of --vary and names the one to take", async () => {
    writeQuestions();
    const vary = [
      "--vary",
      "chunk-size=40,80",
      "--vary",
      "chunk-overlap=0,20%",
      "--vary",
      "mode=text,hybrid",
    ];
    const sweep = ["eval", "sweep", "docs", "--questions", "q.csv", ...vary];
    const { out, code } = await konteks([...sweep, "--report", "s.html", "--report", "s.json"]);
    expect(code).toBe(0);
    for (const name of ["40/8 tokens, mode text", "80/0 tokens, mode hybrid", "← taken"])
      expect(out).toContain(name);
    expect(readFileSync(file("s.html"), "utf8")).toContain("held back");
    expect(JSON.parse(readFileSync(file("s.json"), "utf8")).settings).toHaveLength(8);
    expect((await konteks(["eval", "report", "s.json"])).out).toContain("← taken");
  });

  it("refuses a setting that there is not, and a value that it cannot have", async () => {
    writeQuestions();
    const vary = (list: string) => konteks(["eval", "sweep", "docs", "--questions", "q.csv", "--vary", list]);
    expect((await vary("chunk-sise=1")).err).toMatch(/no setting 'chunk-sise'.*Did you mean .chunk-size/);
    expect((await vary("mode=text,fast")).err).toContain("must be one of text, vector, hybrid");
  });
});

describe("konteks eval check and compare", () => {
  it("holds a run against a baseline, and fails when quality fell", async () => {
    writeQuestions();
    const check = (...args: readonly string[]) =>
      konteks(["eval", "check", "docs", "--questions", "q.csv", ...args]);
    expect((await check()).err).toContain("--save");
    expect((await check("--baseline", "b.jsonl")).err).toContain("There is no baseline b.jsonl");
    expect((await check("--save", "b.jsonl")).code).toBe(0);
    expect(await check("--baseline", "b.jsonl")).toMatchObject({
      code: 0,
      out: expect.stringContaining("Held."),
    });
    writeFileSync(
      file("worse.jsonl"),
      readFileSync(file("b.jsonl"), "utf8").replace(/"(recall@20|mrr@10|ndcg@10)":1/g, '"$1":0'),
    );
    const better = await check("--baseline", "worse.jsonl", "--save", "run.jsonl");
    expect(better).toMatchObject({ code: 0 });
    const compared = await konteks(["eval", "compare", "run.jsonl", "worse.jsonl", "--metrics", "recall@20"]);
    expect(compared.out).toMatch(/recall@20 +\| −100\.0 \(−100\.0 to −100\.0\) +\| +0 \/ 6/);
    expect(compared.out).toMatch(/Worse by recall@20: 6\n {2}1\.00 → 0\.00 {2}q1: How many years/);
  });

  it("ends with 1 when a metric is certainly lower", async () => {
    writeQuestions();
    const check = (...args: readonly string[]) =>
      konteks(["eval", "check", "docs", "--questions", "q.csv", ...args]);
    await check("--save", "b.jsonl");
    writeFileSync(
      file("q.csv"),
      readFileSync(file("q.csv"), "utf8").replace(
        /How many years of warranty on \w+ tools/g,
        (all, at) => `${all.length + at} zzz`,
      ),
    );
    const fell = await check("--baseline", "b.jsonl");
    expect(fell.out).toContain("Fell below the baseline.");
    expect(fell.code).toBe(1);
    const indexed = ["eval", "check", "--index", "docs/.konteks", "--questions", "q.csv"];
    const told = await konteks([...indexed, "--baseline", "b.jsonl", "--json"]);
    expect(JSON.parse(told.out)).toMatchObject({
      questions: 6,
      ok: false,
      summary: { "recall@20": { n: 6 } },
    });
    expect(told.code).toBe(1);
  });
});

describe("konteks eval generate and review", () => {
  it("prices, asks once, keeps what was paid for, and lets a person keep, edit and drop", async () => {
    const provider = await startSimulatedProvider();
    try {
      provider.script(({ system, messages }) => {
        const prompt = messages.at(-1)?.text ?? "";
        const years = /runs for (\d+) years/.exec(prompt)?.[1] ?? "0";
        const draft = {
          question: `What guarantee of length ${years} is given?`,
          answer: years,
          quotes: [`The warranty runs for ${years} years`],
        };
        return JSON.stringify(system.startsWith("You write questions") ? draft : { answers: [] });
      });
      const env = { ANTHROPIC_API_KEY: "test", ANTHROPIC_BASE_URL: provider.baseUrls.anthropic ?? "" };
      const generate = [
        "eval",
        "generate",
        "docs",
        "--model",
        "anthropic:claude-haiku-4-5",
        "--count",
        "3",
        "--kinds",
        "fact=1",
      ];
      const refused = await konteks(generate, { env });
      expect(refused).toMatchObject({
        code: 2,
        err: expect.stringMatching(/for at most about \$0\.0\d.*Add --yes/s),
      });
      expect(provider.ledger).toHaveLength(0);
      const made = await konteks([...generate, "--yes"], { env });
      expect(made.out).toMatch(/^3 questions added to .*questions\.jsonl \(6 calls, \$/);
      const calls = provider.ledger.length;
      const again = await konteks(generate, { env, typed: "y\n" });
      expect(again.out).toMatch(/^0 questions added .*\(0 calls/);
      expect(provider.ledger).toHaveLength(calls);
      expect(lines("questions.jsonl").map(({ tags }) => tags)).toEqual(Array(3).fill(["fact", "unreviewed"]));
    } finally {
      await provider.close();
    }
    const first = await konteks(["eval", "review", "docs"], { typed: "k\ne\nHow long is it?\nq\n" });
    expect(first.err).toContain("1 kept, 1 edited, 0 dropped, 1 left.");
    expect(first.err).toMatch(/»The warranty runs for \d years« from the day/);
    const second = await konteks(["eval", "review", "docs"], { typed: "x\nd\n" });
    expect(second.err).toContain("0 kept, 0 edited, 1 dropped, 0 left.");
    const left = lines("questions.jsonl");
    expect(left.map(({ tags }) => tags)).toEqual([["fact"], ["fact"]]);
    expect(left[1].text).toBe("How long is it?");
    expect((await konteks(["eval", "review", "docs"])).err).toContain("needs a terminal");
  });

  it("says that a model is needed", async () => {
    expect((await konteks(["eval", "generate", "docs"])).err).toContain("Name one with --model");
  });
});
