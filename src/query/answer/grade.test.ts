import { expect, test } from "vitest";
import { partsOf } from "./correct.ts";
import { hitOf } from "./evidence.fixture.ts";
import { readGrade } from "./grade.ts";
import { numbersIn } from "./lists.ts";
import { excerpt, narrow } from "./narrow.ts";
import { readQuestion } from "./question.ts";
import { joinedQuestion } from "./rewrite.ts";

test.each([
  ["GRADE: sufficient\nRELEVANT: 1, 3\n", { grade: "sufficient", relevant: [1, 3], questions: [] }],
  [
    "**Grade:** Partial\n**Relevant:** [2]\nSearch: a b?\nSEARCH: c d?\n",
    { grade: "partial", relevant: [2], questions: ["a b?", "c d?"] },
  ],
  [
    '- GRADE: irrelevant\n- RELEVANT: "[1, 9]"\n- SEARCH: none',
    { grade: "irrelevant", relevant: [1], questions: [] },
  ],
  [
    "GRADE: partial\nRELEVANT: none\nSEARCH: a\nSEARCH: b\nSEARCH: c\nSEARCH: d",
    { grade: "partial", relevant: [], questions: ["a", "b", "c"] },
  ],
])("reads %j", (reply, expected) => expect(readGrade(reply, 3)).toEqual(expected));

test.each(["It is fine.", "GRADE: insufficient", "GRADE:", ""])("%j is no grade", (reply) => {
  expect(readGrade(reply, 3)).toBeUndefined();
});

test("lists come as lists, as strings of JSON, and as numbers", () => {
  expect([[1, "2"], "[1, 2]", '"[1, 2]"', 7, "x", null].map(numbersIn)).toEqual([
    [1, 2],
    [1, 2],
    [1, 2],
    [7],
    [],
    [],
  ]);
});

test("a question of several parts is taken apart", () => {
  expect(partsOf("Who signed it? When does it end?")).toEqual(["Who signed it?", "When does it end?"]);
  expect(partsOf("Who signed it?")).toEqual(["Who signed it?"]);
});

const read = (question: string) => readQuestion({ question, languages: ["en"], idf: () => 2 });
const filler = "The board met in the morning. Lunch was served at noon. Nobody objected to it.";
const text = `${filler} Revenue of ACME grew by 3 %. ${filler} ${filler}`;

test("what bears on the question is kept with a sentence on either side, as a slice", () => {
  const hit = hitOf(text);
  const { text: kept, start, end, lines } = narrow(hit, read("How much did the revenue of ACME grow?"));
  expect(kept).toBe("Nobody objected to it. Revenue of ACME grew by 3 %. The board met in the morning.");
  expect(text.slice(start - hit.start, end - hit.start)).toBe(kept);
  expect(lines).toEqual([10, 10]);
  expect(narrow(hit, read("Whales?"))).toBe(hit);
});

test("an excerpt stands around the best sentence", () => {
  const { text: cut } = excerpt(hitOf(text), read("How much did the revenue of ACME grow?"), 100);
  expect(cut).toContain("Revenue of ACME grew by 3 %.");
  expect(cut.length).toBeLessThan(text.length / 2);
});

test.each([
  ["And when does it end?", true],
  ["Dan berapa itu?", true],
  ["Who signed the Bremen contract in 2021?", false],
])("without a model %j is joined with the question before: %s", (question, joined) => {
  const history = [{ question: "Who rents the house?", answer: "Nobody." }];
  expect(joinedQuestion(question, history) !== question).toBe(joined);
});
