import { appendFile, mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { resolveLanguageModel } from "../../models/resolve.ts";
import { type SimulatedProvider, startSimulatedProvider } from "../../testing/provider/index.ts";
import { openFake } from "../fake-konteks.fixture.ts";
import { isCopied, sameQuestion } from "./copied.ts";
import { estimateGeneration, type GeneratedQuestions, generateQuestions } from "./generate.ts";
import { planQuestions, type questionKinds } from "./plan.ts";

/** Documents of two chunks of 200 characters; each chunk states a fee of its own. */
const documents = ["Alpha", "Beta", "Gamma", "Delta"].map((name, index) => ({
  id: `${name}.md`,
  title: name,
  language: "en",
  text: [0, 1]
    .map((part) =>
      `The ${name} fee number ${part} amounts to ${10 + 2 * index + part} euros. ${"More words follow here. ".repeat(9)}`.slice(
        0,
        200,
      ),
    )
    .join(""),
}));

async function indexOfAll() {
  const konteks = await openFake({ chunk: { unit: "characters", size: 200, overlap: 0 } });
  await konteks.ingest(documents);
  return konteks;
}

describe("planning questions", () => {
  it("spreads kinds by their weight, and chunks over documents and sections", async () => {
    const plan = await planQuestions(await indexOfAll(), {
      count: 5,
      kinds: { fact: 3, comparison: 1, unanswerable: 1 },
    });
    expect(plan.map(({ kind }) => kind).toSorted()).toEqual([
      "comparison",
      "fact",
      "fact",
      "fact",
      "unanswerable",
    ]);
    const first = plan.slice(0, 4).map(({ chunks }) => chunks[0]?.chunk.documentId);
    expect(new Set(first).size).toBe(4);
    const compared = plan.find(({ kind }) => kind === "comparison");
    expect(new Set(compared?.chunks.map(({ chunk }) => chunk.id)).size).toBe(2);
  });

  it("asks no chunk twice, stops when there are no more, and is repeatable", async () => {
    const plan = () =>
      indexOfAll().then((konteks) => planQuestions(konteks, { count: 50, kinds: { number: 1 } }));
    expect(await plan()).toHaveLength(8);
    expect(await plan()).toEqual(await plan());
    await expect(openFake().then((konteks) => planQuestions(konteks))).rejects.toThrow(/is empty/);
  });

  it("says before anything is paid what it takes at most", async () => {
    const estimate = estimateGeneration(await planQuestions(await indexOfAll(), { count: 4 }));
    expect(estimate).toMatchObject({ calls: 8, outputTokens: 1200 });
    expect(estimate.inputTokens).toBeGreaterThan(1000);
  });
});

let provider: SimulatedProvider;
let folder = "";
beforeEach(async () => {
  provider = await startSimulatedProvider();
  folder = await mkdtemp(join(tmpdir(), "konteks-generate-"));
});
afterEach(async () => {
  await provider.close();
  await rm(folder, { recursive: true });
});

/** Runs a plan of one kind; `draft` is told the first source's text, `check` all of the prompt. */
async function run(
  kind: (typeof questionKinds)[number],
  count: number,
  draft: (source: string) => object,
  check: (prompt: string) => object = () => ({ answers: [] }),
): Promise<GeneratedQuestions> {
  provider.script(({ system, messages }) => {
    const prompt = messages.at(-1)?.text ?? "";
    const source = /<source[^>]*>\n([\s\S]*?)\n<\/source>/.exec(prompt)?.[1] ?? "";
    return JSON.stringify(system.startsWith("You write questions") ? draft(source) : check(prompt));
  });
  const konteks = await indexOfAll();
  const { model, id } = await resolveLanguageModel("openai:gpt-4o-mini", {
    apiKeys: { openai: "test" },
    baseUrls: provider.baseUrls,
  });
  const plan = await planQuestions(konteks, { count, kinds: { [kind]: 1 } });
  return generateQuestions({ konteks, plan, model, modelId: id, journal: join(folder, "drafts.jsonl") });
}

const fee = (source: string) => /fee number (\d) amounts to (\d+) euros\./.exec(source);
const nameIn = (source: string) => /The (\w+) fee/.exec(source)?.[1] ?? "";
const goodDraft = (source: string) => ({
  question: `What does ${nameIn(source)} charge in case ${fee(source)?.[1]}?`,
  answer: `${fee(source)?.[2]} euros`,
  quotes: [fee(source)?.[0]],
});

describe("generating questions", () => {
  it("keeps a question with its passage as a span of the document", async () => {
    const { questions, dropped, usage } = await run("fact", 4, goodDraft);
    expect(dropped).toEqual([]);
    expect(questions).toHaveLength(4);
    for (const { gold, answers } of questions) {
      const [passage] = gold;
      const text = documents.find(({ id }) => id === passage?.documentId)?.text ?? "";
      expect(text.slice(passage?.start, passage?.end)).toContain(answers[0]);
      expect(passage?.quote).toBe(text.slice(passage?.start, passage?.end));
    }
    expect(usage.calls).toBe(provider.ledger.length);
  });

  it.each([
    [
      "a quote that stands nowhere",
      (source: string) => ({ ...goodDraft(source), quotes: ["the fee is high"] }),
      /does not stand/,
    ],
    [
      "words of the passage",
      (source: string) => ({ ...goodDraft(source), question: `${source.slice(0, 60)}?` }),
      /copies/,
    ],
    [
      "another language",
      (source: string) => ({
        ...goodDraft(source),
        question: `Wie hoch ist der Betrag, der in dem Fall an ${nameIn(source)} zu zahlen ist?`,
      }),
      /another language than the document \(de\)/,
    ],
    ["no question", (source: string) => ({ ...goodDraft(source), question: " " }), /is empty/],
    ["a reply of another form", () => ({ nothing: true }), /not of the asked form/],
  ])("drops %s, with the reason", async (_, draft, reason) => {
    const { questions, dropped } = await run("fact", 1, draft);
    expect(questions).toEqual([]);
    expect(dropped).toEqual([{ text: expect.any(String), reason: expect.stringMatching(reason) }]);
  });

  it("drops the second of two questions that are the same", async () => {
    const { questions, dropped } = await run("fact", 2, (source) => ({
      ...goodDraft(source),
      question: "Which sum is due?",
    }));
    expect(questions).toHaveLength(1);
    expect(dropped[0]?.reason).toMatch(/the same as g1/);
  });

  it("takes other passages that answer as gold too, once each and only where they stand", async () => {
    const { questions } = await run("fact", 1, goodDraft, (prompt) => ({
      answers: [
        { source: 1, quote: fee(prompt)?.[0] },
        { source: 1, quote: fee(prompt)?.[0] },
        { source: 2, quote: "no such words" },
        { source: 99, quote: "euros" },
      ],
    }));
    expect(questions[0]?.gold).toHaveLength(2);
    expect(questions[0]?.gold[1]?.quote).toMatch(/amounts to/);
  });

  it("keeps an unanswerable question only when no passage answers it", async () => {
    const draft = (source: string) => ({
      question: `Who founded ${nameIn(source)}?`,
      answer: "",
      quotes: [],
    });
    const kept = await run("unanswerable", 1, draft);
    expect(kept.questions).toMatchObject([{ unanswerable: true, gold: [], tags: ["unanswerable"] }]);
    await rm(join(folder, "drafts.jsonl"));
    const found = await run("unanswerable", 1, draft, (prompt) => ({
      answers: [{ source: 1, quote: fee(prompt)?.[0] }],
    }));
    expect(found.dropped[0]?.reason).toMatch(/do answer it/);
  });

  it("wants both passages for a comparison", async () => {
    const one = await run("comparison", 1, (source) => goodDraft(source));
    expect(one.dropped[0]?.reason).toMatch(/does not need both/);
  });

  it("pays for nothing twice: a second run, and one whose journal was cut off, ask only for what is missing", async () => {
    const first = await run("fact", 3, goodDraft);
    const paid = provider.ledger.length;
    const again = await run("fact", 3, goodDraft);
    expect(again).toMatchObject({ questions: first.questions, usage: { calls: 0 } });
    expect(provider.ledger).toHaveLength(paid);
    await appendFile(join(folder, "drafts.jsonl"), `{"key":"cut`);
    expect((await run("fact", 4, goodDraft)).questions).toHaveLength(4);
    expect(provider.ledger).toHaveLength(paid + 2);
    expect(
      (await readFile(join(folder, "drafts.jsonl"), "utf8")).split("\n").filter((line) => line.endsWith("}")),
    ).toHaveLength(paid + 2);
  });
});

describe("questions that prove nothing", () => {
  it("are told by long runs of the passage's words", () => {
    const passage = "The receiving party shall keep all confidential information secret for five years.";
    expect(isCopied("Who must keep all confidential information secret for five years?", passage)).toBe(true);
    expect(isCopied("For how long must secrets be kept by the receiving party?", passage)).toBe(false);
    expect(isCopied("黑豹队的防守丢了多少分", "黑豹队的防守只丢了308分")).toBe(false);
    expect(
      isCopied(
        "黑豹队的防守只丢了三百零八分在联赛中排名第六吗",
        "黑豹队的防守只丢了三百零八分在联赛中排名第六",
      ),
    ).toBe(true);
  });

  it("or are asked already in other order or case", () => {
    expect(sameQuestion("What is the fee of Alpha?", "the fee of Alpha is WHAT")).toBe(true);
    expect(sameQuestion("What is the fee of Alpha?", "What is the fee of Beta?")).toBe(false);
  });
});
