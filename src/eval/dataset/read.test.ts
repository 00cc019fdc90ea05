import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { questionLine } from "./jsonl.ts";
import { locateGold } from "./locate.ts";
import { readEvaluationSet, readQuestions } from "./read.ts";

const documents = [
  { id: "fees.md", text: "# Fees\n\nThe fee is 12 %.\n\nIt is due in May." },
  { id: "terms.md", text: "It is due in May. The term is a year." },
];

let folder = "";
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "konteks-questions-"));
});
afterAll(() => rm(folder, { recursive: true }));

async function file(name: string, ...lines: string[]): Promise<string> {
  const path = join(folder, name);
  await mkdir(join(path, ".."), { recursive: true });
  await writeFile(path, `${lines.join("\n")}\n`);
  return path;
}

async function located(path: string) {
  return locateGold((await readQuestions(path)).questions, documents);
}

describe("JSON lines", () => {
  it("reads spans, quotes, whole documents, tags, answers and unanswerable questions", async () => {
    const path = await file(
      "own.jsonl",
      `{"id":"a","text":"Fee?","gold":[{"document":"fees.md","start":8,"end":24}],"tags":["number"],"answers":["12 %"]}`,
      "",
      `{"id":"b","text":"Term?","gold":[{"document":"terms.md","quote":"The term is a year."},{"document":"fees.md"}]}`,
      `{"id":"c","text":"Colour?","unanswerable":true}`,
    );
    const [a, b, c] = await located(path);
    expect(a).toEqual({
      id: "a",
      text: "Fee?",
      gold: [{ documentId: "fees.md", start: 8, end: 24, grade: 1 }],
      tags: ["number"],
      unanswerable: false,
      answers: ["12 %"],
    });
    expect(b?.gold).toEqual([
      { documentId: "terms.md", start: 18, end: 37, grade: 1, quote: "The term is a year." },
      { documentId: "fees.md", start: 0, end: 0, grade: 1 },
    ]);
    expect(c?.unanswerable).toBe(true);
  });

  it("reads back what it writes", async () => {
    const path = await file(
      "first.jsonl",
      `{"id":"a","text":"Term?","gold":[{"document":"terms.md","quote":"The term is a year.","grade":2}],"tags":["t"]}`,
      `{"id":"b","text":"Colour?","unanswerable":true,"answers":["none"]}`,
    );
    const questions = await located(path);
    expect(await located(await file("second.jsonl", ...questions.map(questionLine)))).toEqual(questions);
  });

  it.each([
    ["not JSON", "{", /bad\.jsonl:2: not a line of JSON/],
    ["a field of the wrong kind", `{"id":"a","text":7}`, /bad\.jsonl:2: .*text/],
    [
      "half a span",
      `{"id":"a","text":"?","gold":[{"document":"d","start":3}]}`,
      /bad\.jsonl:2: start and end/,
    ],
    [
      "a span that runs backwards",
      `{"id":"a","text":"?","gold":[{"document":"d","start":3,"end":1}]}`,
      /ends \(1\)/,
    ],
    ["an unknown field", `{"id":"a","text":"?","golds":[]}`, /bad\.jsonl:2: .*golds/],
    [
      "contradiction",
      `{"id":"a","text":"?","unanswerable":true,"gold":[{"document":"d"}]}`,
      /unanswerable but/,
    ],
  ])("names file and line of %s", async (_, line, message) => {
    await expect(readQuestions(await file("bad.jsonl", "", line))).rejects.toThrow(message);
  });
});

describe("locating gold", () => {
  it("reports everything that does not fit, each by its line", async () => {
    const path = await file(
      "misfit.jsonl",
      `{"id":"a","text":"1?","gold":[{"document":"fees.md","quote":"The fee is 13 %."}]}`,
      `{"id":"b","text":"2?","gold":[{"document":"gone.md","start":0,"end":3}]}`,
      `{"id":"c","text":"3?","gold":[{"document":"fees.md","start":0,"end":4000}]}`,
      `{"id":"a","text":"4?","gold":[{"document":"fees.md"}]}`,
    );
    const error = await located(path).catch(String);
    expect(error).toMatch(/misfit\.jsonl:1: the quote "The fee is 13 %." does not stand in "fees.md"/);
    expect(error).toMatch(/misfit\.jsonl:2: document "gone.md" is not in the corpus/);
    expect(error).toMatch(/misfit\.jsonl:3: the passage ends at 4000/);
    expect(error).toMatch(/misfit\.jsonl:4: the id "a" is taken by .*misfit\.jsonl:1/);
  });

  it("follows a quote that has moved, and refuses one that is gone", async () => {
    const gold = (quote: string) => `{"document":"fees.md","start":0,"end":16,"quote":"${quote}"}`;
    const moved = await file("moved.jsonl", `{"id":"a","text":"?","gold":[${gold("The fee is 12 %.")}]}`);
    expect((await located(moved))[0]?.gold[0]).toMatchObject({ start: 8, end: 24 });
    const gone = await file("gone.jsonl", `{"id":"a","text":"?","gold":[${gold("The fee is 11 %.")}]}`);
    await expect(located(gone)).rejects.toThrow(/gone\.jsonl:1: .*the document has changed/);
  });
});

describe("CSV", () => {
  it("looks quotes up, in the named document or in all, and puts rows of one question together", async () => {
    const path = await file(
      "q.csv",
      "Question,Quote,Document,Tags",
      `What is the fee?,"The fee is 12 %.",,number; money`,
      `What is the fee?,It is due in May.,fees.md,`,
      `What colour?,,,`,
    );
    const [fee, colour] = await located(path);
    expect(fee?.tags).toEqual(["number", "money"]);
    expect(fee?.gold).toMatchObject([
      { documentId: "fees.md", start: 8, end: 24 },
      { documentId: "fees.md", start: 26, end: 43 },
    ]);
    expect(colour).toMatchObject({ gold: [], unanswerable: true });
  });

  it("reads semicolons and quotes over several lines", async () => {
    const path = await file("semi.csv", "question;quote", `"When; due?";"It is due`, `in May. The term"`);
    expect((await located(path))[0]).toMatchObject({
      text: "When; due?",
      gold: [{ documentId: "terms.md", start: 0 }],
    });
  });

  it("reads quotation marks as they are typed by hand", async () => {
    const typed = await file("typed.csv", "question,quote", `What is a "term"?,“The term is a year.”`);
    expect((await located(typed))[0]).toMatchObject({
      text: 'What is a "term"?',
      gold: [{ documentId: "terms.md", quote: "The term is a year." }],
    });
  });

  it("reports a quote that is missing or stands twice by its line", async () => {
    const path = await file("twice.csv", "question,quote", "A?,It is due in May.", "B?,It is due in June.");
    const error = await located(path).catch(String);
    expect(error).toMatch(/twice\.csv:2: .*stands 2 times \(fees\.md at 26, terms\.md at 0\)/);
    expect(error).toMatch(/twice\.csv:3: .*does not stand in any document/);
  });

  it("says which columns it needs", async () => {
    await expect(readQuestions(await file("no.csv", "q,a", "x,y"))).rejects.toThrow(
      /no\.csv:1: .*"question" and "quote"/,
    );
  });

  it("names the line of broken quoting", async () => {
    await expect(readQuestions(await file("broken.csv", "question,quote", `A?,"open`))).rejects.toThrow(
      /broken\.csv.*line 2/,
    );
  });
});

describe("folders", () => {
  const corpus = [
    `{"id":"d1","title":"One","text":"alpha beta","meta":{"lang":"en"}}`,
    `{"id":"d2","text":"gamma"}`,
  ];

  it("reads spans from qrels.tsv; an empty span is the whole document", async () => {
    await file("own/corpus.jsonl", ...corpus);
    await file(
      "own/queries.jsonl",
      `{"id":"q1","text":"beta?"}`,
      `{"id":"q2","text":"delta?","unanswerable":true}`,
    );
    await file("own/qrels.tsv", "query-id\tdoc-id\tscore\tstart\tend", "q1\td1\t1\t6\t10", "q1\td2\t2\t\t");
    const set = await readEvaluationSet(join(folder, "own"));
    expect(set.documents[0]).toEqual({ id: "d1", title: "One", text: "alpha beta", language: "en" });
    expect(set.questions.map((question) => question.gold)).toEqual([
      [
        { documentId: "d1", start: 6, end: 10, grade: 1 },
        { documentId: "d2", start: 0, end: 0, grade: 2 },
      ],
      [],
    ]);
  });

  it("reads BEIR: _id, the split's judgements, and only that split's queries", async () => {
    await file("beir/corpus.jsonl", ...corpus.map((line) => line.replace(`"id"`, `"_id"`)));
    await file("beir/queries.jsonl", `{"_id":"1","text":"x"}`, `{"_id":"2","text":"y"}`);
    await file("beir/qrels/test.tsv", "query-id\tcorpus-id\tscore", "1\td1\t1", "2\td2\t0");
    const set = await readEvaluationSet(join(folder, "beir"));
    expect(set.questions).toMatchObject([{ id: "1", gold: [{ documentId: "d1", start: 0, end: 0 }] }]);
  });

  it("names the line of a judgement that leads nowhere", async () => {
    await file("lost/corpus.jsonl", ...corpus);
    await file("lost/queries.jsonl", `{"id":"q1","text":"x"}`);
    await file("lost/qrels.tsv", "query-id\tdoc-id\tscore\tstart\tend", "q1\td9\t1\t0\t1");
    await expect(readQuestions(join(folder, "lost"))).rejects.toThrow(/qrels\.tsv:2: document "d9"/);
    await file("lost/qrels.tsv", "q1\td1\tone\t0\t1");
    await expect(readQuestions(join(folder, "lost"))).rejects.toThrow(/qrels\.tsv:1: score one/);
    await file("lost/qrels.tsv", "q7\td1\t1\t0\t1");
    await expect(readQuestions(join(folder, "lost"))).rejects.toThrow(/qrels\.tsv:1: query "q7"/);
  });

  it("says what it reads when the path leads nowhere or to something else", async () => {
    await expect(readQuestions(join(folder, "nothing"))).rejects.toThrow(
      /no questions at .*konteks eval add .*konteks eval generate/,
    );
    await expect(readQuestions(await file("q.docx", ""))).rejects.toThrow(/"\.docx" is not read/);
  });
});
