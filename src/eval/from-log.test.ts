import { expect, test } from "vitest";
import { type LoggedSearch, proposeQuestions } from "./from-log.ts";

const passageOf = async (chunkId: string) =>
  chunkId === "gone#0" ? undefined : { documentId: chunkId.slice(0, -2), start: 3, end: 9 };
const search = (query: string, ...chunkIds: string[]): LoggedSearch => ({
  query,
  hits: chunkIds.map((id, i) => [id, 1 / (i + 1)]),
});
const log = [
  search("rent", "a#0"),
  search("deposit", "gone#0", "b#0"),
  search("garden", "c#0"),
  search("Garden ", "c#1", "a#0"),
  search("zzyzx"),
  search("  "),
];

test("what found nothing comes first, then the most frequent; the latest search gives the passage", async () => {
  const proposals = await proposeQuestions(log, { passageOf });
  expect(proposals.map(({ question, times }) => [question.text, times])).toEqual([
    ["zzyzx", 1],
    ["Garden", 2],
    ["rent", 1],
    ["deposit", 1],
  ]);
  const [none, garden, , deposit] = proposals.map(({ question }) => question);
  expect(none).toMatchObject({ unanswerable: true, gold: [], tags: ["log", "unreviewed", "no-result"] });
  expect(garden?.gold).toEqual([{ documentId: "c", start: 3, end: 9, grade: 1 }]);
  expect(deposit?.gold).toMatchObject([{ documentId: "b" }]);
});

test("questions that are there are not proposed again, and ids stay free", async () => {
  const there = [
    { id: "q2", text: "ZZYZX" },
    { id: "mine", text: "rent" },
  ];
  const proposals = await proposeQuestions(log, { passageOf, there, count: 1 });
  expect(proposals.map(({ question: { id, text } }) => [id, text])).toEqual([["q3", "Garden"]]);
  const empty = await proposeQuestions(log, { passageOf, empty: true });
  expect(empty.map(({ question }) => question.text)).toEqual(["zzyzx"]);
});
