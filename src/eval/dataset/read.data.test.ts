import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { judge } from "../judge.ts";
import { recall } from "../metrics/recall.ts";
import { readEvaluationSet } from "./read.ts";

const data = process.env.KONTEKS_DATA ?? "../shared/datasets";

describe("the evaluation data", () => {
  it.each([
    ["codebases", 90, 248, 248],
    ["legalbench-rag-contractnli", 95, 977, 977],
    ["tat-qa", 555, 3331, 3331],
    ["react-docs-id", 133, 110, 110],
    ["idk-mrc-id", 736, 1608, 802],
    ["xquad-vi", 48, 1190, 1190],
    ["xquad-zh", 48, 1190, 1190],
    ["xquad-th", 48, 1190, 1190],
    ["scifact", 5183, 300, 300],
  ])("%s reads whole, every span inside its document", async (name, documents, questions, withGold) => {
    const set = await readEvaluationSet(join(data, name));
    expect(set.documents).toHaveLength(documents);
    expect(set.questions).toHaveLength(questions);
    expect(set.questions.filter((question) => question.gold.length > 0)).toHaveLength(withGold);
  });

  it("every answer span of xquad-zh is the reference answer", async () => {
    const set = await readEvaluationSet(join(data, "xquad-zh"));
    const texts = new Map(set.documents.map((document) => [document.id, document.text]));
    for (const { gold, answers } of set.questions) {
      for (const { documentId, start, end } of gold)
        expect(answers).toContain(texts.get(documentId)?.slice(start, end));
    }
  });

  it("judging codebases by spans is judging by chunk: each gold chunk finds itself alone", async () => {
    const { questions } = await readEvaluationSet(join(data, "codebases"));
    const chunks = new Map(
      questions.flatMap(({ gold }) => gold).map((gold) => [`${gold.documentId} ${gold.start}`, gold]),
    );
    for (const { gold } of questions) {
      for (const chunk of chunks.values()) {
        const found = recall(judge([{ ...chunk, score: 1, tokens: 1 }], gold), 1);
        expect(found).toBe(gold.some((each) => each === chunk || same(each, chunk)) ? 1 / gold.length : 0);
      }
    }
  });
});

function same(a: { documentId: string; start: number }, b: { documentId: string; start: number }): boolean {
  return a.documentId === b.documentId && a.start === b.start;
}
