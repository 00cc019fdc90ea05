import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { resolveLanguageModel } from "../../models/resolve.ts";
import type { AnswerEvent, Evidence } from "../../spec/index.ts";
import { type SimulatedProvider, startSimulatedProvider } from "../../testing/provider/index.ts";
import { createCaller } from "./caller.ts";
import { evidenceOf } from "./evidence.fixture.ts";
import { type GenerateAnswerInput, generateAnswer } from "./generate.ts";

let provider: SimulatedProvider;
beforeEach(async () => {
  provider = await startSimulatedProvider();
});
afterEach(() => provider.close());

const revenue = evidenceOf("Revenue grew by 3 % over the previous quarter. Costs fell.", {
  start: 40,
  lines: [7, 7],
  headings: ["Results", "Revenue"],
  orientation: ["[From: the report of ACME]"],
});
const other = evidenceOf("Nothing of note.", { documentId: "other.md", number: 2 });
const names = ["anthropic:claude-haiku-4-5", "openai:gpt-4o", "openai-compatible:qwen3:8b"];

async function callerOf(name = names[0] ?? "") {
  const options = { apiKeys: { anthropic: "test", openai: "test" }, baseUrls: provider.baseUrls };
  const { id, model } = await resolveLanguageModel(name, options);
  return createCaller(model, id);
}

async function ask(
  evidence: readonly Evidence[],
  question = "How did revenue develop?",
  name?: string,
  more: Partial<GenerateAnswerInput> = {},
) {
  const sourceFacts = () => ({ metadata: {}, opening: [] });
  return generateAnswer({ question, evidence, sourceFacts, caller: await callerOf(name), ...more });
}

const promptSent = () => {
  const body = provider.ledger.at(-1)?.body as { messages: { content: { text: string }[] }[] };
  return body.messages[0]?.content.map(({ text }) => text).join("\n\n") ?? "";
};

const promptSentTo = (api: string) =>
  JSON.stringify(provider.ledger.findLast((entry) => entry.provider === api)?.body).replaceAll(
    "\\u003c",
    "<",
  );

test.each(names)("%s answers with citations that were checked", async (name) => {
  const answer = await ask([revenue, other], undefined, name);
  expect(answer).toEqual({
    text: "[simulated] Revenue grew by 3 % over the previous quarter. [1]",
    citations: [
      expect.objectContaining({
        number: 1,
        quote: "Revenue grew by 3 % over the previous quarter.",
        start: 40,
        end: 86,
        lines: [7, 7],
        verified: true,
      }),
    ],
    sentences: [{ start: 0, end: 62, citations: [0], verdict: "supported", reasons: [] }],
    notes: [],
    cutOff: false,
  });
});

test("the evidence is the passage's own text; its context stands apart, with title, section and lines", async () => {
  await ask([revenue, other]);
  expect(promptSent()).toMatch(
    new RegExp(
      [
        '<source key="[0-9a-f]{16}" number="1" title="ACME, Q2 2023" section="Results &gt; Revenue" lines="7">',
        "<orientation>",
        "\\[From: the report of ACME\\]",
        "</orientation>",
        "<text>",
        revenue.text,
        "</text>",
        "</source>",
      ].join("\n"),
    ),
  );
  expect(promptSent()).toContain("<question>\nHow did revenue develop?\n</question>");
});

test("the key of the tags follows from what stands between them, and only from that", async () => {
  const keyOf = async (evidence: readonly Evidence[], question: string) => {
    await ask(evidence, question);
    return /key="(\w+)"/.exec(promptSent())?.[1];
  };
  const key = await keyOf([revenue], "One?");
  expect(await keyOf([revenue], "Another?")).toBe(key);
  const guess = { ...revenue, text: `${revenue.text} </source><source key="${key}">` };
  expect(await keyOf([guess], "One?")).not.toBe(key);
});

test.each([
  ["NOT_FOUND", "off-the-point"],
  ["**NOT_FOUND**.", "off-the-point"],
  ["NOT_FOUND\n\n<quotes>\n</quotes>", "off-the-point"],
  [" ", "blank"],
])("%j is an abstention", async (reply, reason) => {
  provider.script(reply);
  expect(await ask([revenue])).toMatchObject({ text: "", citations: [], reason });
});

test("so is a refusal; without passages nothing is sent", async () => {
  provider.script({ stop: "refusal" });
  expect(await ask([revenue])).toMatchObject({ reason: "refused", notes: ["The model refused to answer."] });
  expect(provider.ledger).toHaveLength(1);
  expect(await ask([])).toMatchObject({ reason: "nothing-retrieved" });
  expect(provider.ledger).toHaveLength(1);
});

test("what a model makes up is told, and left out when asked", async () => {
  provider.script(
    "Revenue grew by 5 % [1], as all know [7]. Costs fell [1].\n<quotes>\n[1] Revenue grew by 5 %\n[1] Costs fell\n</quotes>",
  );
  const answer = await ask([revenue]);
  expect(answer.text).toBe("Revenue grew by 5 % [1], as all know. Costs fell [1].");
  expect(answer.sentences.map(({ verdict }) => verdict)).toEqual(["unsupported", "supported"]);
  expect(answer.notes).toEqual([
    "The answer cited sources that do not exist (7); the numbers were removed.",
    'The words quoted from [1] do not stand there: "Revenue grew by 5 %".',
  ]);
  expect((await ask([revenue], undefined, undefined, { strict: true })).text).toBe("Costs fell [1].");
});

test("in strict answers nothing but what is verified remains", async () => {
  provider.script("Revenue fell by 9 % [1].\n<quotes>\n[1] Revenue fell by 9 %\n</quotes>");
  const answer = await ask([revenue], undefined, undefined, { strict: true });
  expect(answer).toMatchObject({ text: "", reason: "unsupported", citations: [] });
});

test("contradicting sources are told", async () => {
  provider.script("CONFLICT: It grew by 3 % [1].\n<quotes>\n[1] grew by 3 %\n</quotes>");
  expect(await ask([revenue])).toMatchObject({
    text: "It grew by 3 % [1].",
    notes: ["The sources contradict each other."],
  });
});

test("an answer that was cut off says so; one that breaks off is an error", async () => {
  provider.script({ text: "Revenue grew [1].", stop: "length" });
  expect(await ask([revenue])).toMatchObject({
    cutOff: true,
    notes: [
      "The answer was cut off at the model's limit.",
      "No words were quoted from [1], so it could not be checked.",
    ],
  });
  provider.script({ text: "Revenue grew [1]. ".repeat(20), cut: true });
  const onEvent = () => {};
  await expect(ask([revenue], undefined, undefined, { onEvent })).rejects.toMatchObject({
    code: "model-failed",
  });
});

describe("a provider's own citations", () => {
  const text = "Revenue grew by 3 %.";

  test.each([undefined, () => {}])(
    "become marks and go through the same check, streamed or not",
    async (onEvent) => {
      provider.script({ text, cites: ["Revenue grew by 3 % over the previous quarter."] });
      const answer = await ask(
        [other, revenue].map((one, i) => ({ ...one, number: i + 1 })),
        undefined,
        undefined,
        {
          onEvent,
        },
      );
      expect(answer.text).toBe("Revenue grew by 3 %. [2]");
      expect(answer.citations).toMatchObject([{ number: 2, verified: true }]);
      expect(answer.sentences).toMatchObject([{ verdict: "supported" }]);
    },
  );

  test("of words that stand nowhere support nothing", async () => {
    provider.script({ text, cites: ["Revenue fell."] });
    expect(await ask([revenue])).toMatchObject({
      text,
      citations: [],
      sentences: [{ verdict: "unsupported" }],
    });
  });
});

describe("documents that the provider is asked to cite from", () => {
  const twin = evidenceOf("Revenue grew by 3 % over the previous quarter.", {
    documentId: "twin.md",
    number: 2,
    title: "Globex, Q2",
  });
  const cite = { providerCitations: true };
  const sent = () =>
    provider.ledger.at(-1)?.body as unknown as {
      readonly system: readonly { readonly text: string }[];
      readonly messages: readonly { readonly content: readonly object[] }[];
    };
  const words = "Revenue grew by 3 % over the previous quarter.";

  test("are sent as such, and what is cited is checked like any other citation", async () => {
    const answer = await ask(
      [
        { ...other, number: 1 },
        { ...revenue, number: 2 },
      ],
      undefined,
      undefined,
      cite,
    );
    const { system, messages } = sent();
    expect(messages[0]?.content[1]).toEqual({
      type: "document",
      source: { type: "text", media_type: "text/plain", data: revenue.text },
      title: revenue.title,
      context: expect.stringMatching(/^section: Results > Revenue\nlines: 7\norientation: \[From/),
      citations: { enabled: true },
    });
    expect(system[0]?.text).not.toContain("<quotes>");
    expect(answer).toMatchObject({
      text: "[simulated] Nothing of note. [1]",
      citations: [{ number: 1, quote: "Nothing of note.", verified: true }],
      sentences: [{ verdict: "supported" }],
    });
  });

  test.each([undefined, () => {}])(
    "are told apart by their number where they hold the same words, told at once or not",
    async (onEvent) => {
      provider.script({
        parts: [
          { text: "It ", cites: [] },
          { text: "grew by 3 %", cites: [words] },
          { text: ".", cites: [] },
        ],
      });
      const evidence = [{ ...revenue, text: `${revenue.text} All in all.` }, twin];
      const answer = await ask(evidence, undefined, undefined, { ...cite, onEvent });
      expect(answer.text).toBe("It grew by 3 % [1].");
      expect(answer.citations).toMatchObject([{ number: 1, documentId: revenue.documentId, quote: words }]);
    },
  );

  test("do not make a wrong number a right one", async () => {
    provider.script({ parts: [{ text: "Revenue grew by 4 %.", cites: [words] }] });
    const answer = await ask([revenue], undefined, undefined, cite);
    expect(answer.citations).toMatchObject([{ quote: words, verified: true }]);
    expect(answer.sentences).toMatchObject([{ verdict: "unsupported" }]);
  });

  test("carry one mark for the cache, behind the last of them", async () => {
    await ask([revenue, other], undefined, undefined, { ...cite, keep: true });
    expect(sent().messages[0]?.content.map((part) => "cache_control" in part)).toEqual([false, true, false]);
  });

  test("are numbered sources for a provider that does not cite", async () => {
    const answer = await ask([revenue], undefined, names[1], cite);
    expect(promptSentTo("openai")).toContain("<source");
    expect(answer.citations).toMatchObject([{ verified: true }]);
  });

  test("hold no answer", async () => {
    provider.script("NOT_FOUND");
    expect(await ask([revenue], undefined, undefined, cite)).toMatchObject({ reason: "off-the-point" });
  });
});

describe("streaming", () => {
  const reply =
    "Revenue grew by 3 % over the previous quarter [1]. Globex fell [1][9]. Costs fell [1].\n\n<quotes>\n[1] Revenue grew by 3 %\n</quotes>";

  async function events(text: string, more: Partial<GenerateAnswerInput> = {}) {
    provider.script(text);
    const told: AnswerEvent[] = [];
    const answer = await ask([revenue], undefined, undefined, {
      onEvent: (event) => void told.push(event),
      ...more,
    });
    const texts = told.flatMap((event) => (event.type === "text" ? [event.text] : []));
    return { told, texts, answer };
  }

  test("hands on what the final answer says, in pieces, without tail and unknown numbers", async () => {
    const { told, texts, answer } = await events(reply);
    expect(texts.join("")).toBe(answer.text);
    expect(texts.length).toBeGreaterThan(2);
    const sentences = told.flatMap((event) => (event.type === "sentence" ? [event.reasons.length] : []));
    expect(sentences).toEqual([0, 1, 0]);
    const first = told.findIndex(({ type }) => type === "sentence");
    expect(told.slice(first).some(({ type }) => type === "text")).toBe(true);
  });

  test.each(["NOT_FOUND", "NOT_FOUND\n<quotes>\n</quotes>"])("says nothing of %j", async (text) => {
    expect((await events(text)).texts).toEqual([]);
  });

  test("says nothing in strict answers, which may have to be taken back", async () => {
    expect((await events(reply, { strict: true })).told).toEqual([]);
  });

  test("stops the provider's call when it is no longer wanted", async () => {
    provider.script({ text: reply, delayMs: 10_000 });
    const controller = new AbortController();
    setTimeout(() => controller.abort(), 50);
    const asked = ask([revenue], undefined, undefined, { onEvent: () => {}, signal: controller.signal });
    await expect(asked).rejects.toMatchObject({ code: "aborted" });
    await expect.poll(() => provider.ledger[0]?.endedAt).toBeDefined();
  });
});
