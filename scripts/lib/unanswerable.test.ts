import { expect, test } from "vitest";
import { alteredQuestions, deniedQuestions, renamedQuestions } from "./unanswerable.ts";

const questions = [
  "When did the tea house in Lisbon open?",
  "Who sold the green lamp to Maria?",
  "How many rooms has the castle of Porto?",
];

test("an altered question differs from its own by one word, of the same kind", () => {
  const altered = alteredQuestions(questions);
  expect(altered).toHaveLength(3);
  for (const [i, question] of altered.entries()) {
    const own = (questions[i] ?? "").split(" ");
    const changed = question.split(" ").filter((word, at) => word !== own[at]);
    expect(changed).toHaveLength(1);
    expect(questions.join(" ")).toContain((changed[0] ?? "").replace("?", ""));
  }
  expect(alteredQuestions(questions)).toEqual(altered);
});

test("a renamed question has another name or number, and nothing else of another kind", () => {
  const places = ["Lisbon", "Maria", "Porto"];
  for (const [i, question] of renamedQuestions(questions).entries()) {
    const own = (questions[i] ?? "").split(" ");
    const changed = question.split(" ").filter((word, at) => word !== own[at]);
    expect(changed).toHaveLength(1);
    expect(places).toContain(changed[0]?.replace("?", ""));
  }
  expect(renamedQuestions(["how many rooms has it?", "who sold the lamp?"])).toEqual([]);
});

test("a denied question has a word more; a language without a denial has none", () => {
  for (const [i, question] of deniedQuestions(questions, "en").entries())
    expect(question.replace("not ", "")).toBe(questions[i]);
  expect(deniedQuestions(["谁创办了博物馆？"], "zh")[0]).toContain("没有");
  expect(deniedQuestions(questions, "xx")).toEqual([]);
});
