import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { withoutMarks } from "./reference-marks.ts";
import { sentences } from "./sentences.ts";

const split = (text: string): string[] => sentences(text).map(({ start, end }) => text.slice(start, end));

describe("a mark behind a full stop stays with the sentence in front", () => {
  test.each<[string, string[]]>([
    ["It is salt water.[12] The 'sea ducks' dive.", ["It is salt water.[12]", "The 'sea ducks' dive."]],
    ["It is salt water. [ 1 ][2] They dive.", ["It is salt water. [ 1 ][2]", "They dive."]],
    ["It is salt water.[12]They dive.", ["It is salt water.[12]", "They dive."]],
    ["It is so.[citation needed] They dive.", ["It is so.[citation needed]", "They dive."]],
    ["Begitu. [perlu rujukan] Lalu pergi.", ["Begitu. [perlu rujukan]", "Lalu pergi."]],
    ["So ist es.[Nachweis fehlt] Dann geht er.", ["So ist es.[Nachweis fehlt]", "Dann geht er."]],
    [
      "好的。[1]然后。【2】再来。［3］最后。［來源請求］",
      ["好的。[1]", "然后。【2】", "再来。［3］", "最后。［來源請求］"],
    ],
    ["He said “so.”[3–5, 9] Then [a] word.", ["He said “so.”[3–5, 9]", "Then [a] word."]],
    ["He left. [nb 3] They stay.[1]:23–24 All.", ["He left. [nb 3]", "They stay.[1]:23–24", "All."]],
    ["He left.[[12]](#c-12) They stay.[^4] All.", ["He left.[[12]](#c-12)", "They stay.[^4]", "All."]],
    ["They dive.(5) They swim.¹² All.", ["They dive.(5)", "They swim.¹²", "All."]],
    ["He left. [The crowd laughed.] Then?", ["He left.", "[The crowd laughed.]", "Then?"]],
    ["Read it. [Here](http://x.y) is more.", ["Read it.", "[Here](http://x.y) is more."]],
    ["[1] A. Bee, Hives. 2001.\n[2] C. Dee, Eggs.", ["[1] A. Bee, Hives.", "2001.", "[2] C. Dee, Eggs."]],
  ])("%j", (text, expected) => {
    expect(split(text)).toEqual(expected);
  });

  const mark = fc
    .tuple(
      fc.constantFrom(["[", "]"], ["【", "】"], ["［", "］"]),
      fc.oneof(
        fc.integer({ min: 1, max: 999 }).map(String),
        fc.constantFrom("a", "b", "nb 2", "note 4", "citation needed", "cần dẫn nguồn", "來源請求", "2–4"),
      ),
    )
    .map(([[open = "", close = ""], label]) => `${open}${label}${close}`);
  const marked = fc.tuple(
    fc.constantFrom("The ducks dive.", "Do they swim?", "They do!", "It said “no.”", "They rest (at night)."),
    fc.constantFrom("", " "),
    fc.array(mark, { minLength: 0, maxLength: 3 }),
  );

  test("whatever the marks are, there are as many sentences as without them, and none begins with one", () => {
    fc.assert(
      fc.property(fc.array(marked, { minLength: 1, maxLength: 6 }), (parts) => {
        const whole = parts.map(([words, gap, marks]) =>
          marks.length === 0 ? words : words + gap + marks.join(""),
        );
        expect(split(whole.join(" "))).toEqual(whole);
      }),
    );
  });

  test("nothing but the marks is blanked, and the length stays", () => {
    const piece = fc.constantFrom(
      ".",
      "。",
      " ",
      "[",
      "]",
      "12",
      "a",
      "】",
      "【",
      "(",
      ")",
      "¹",
      "word",
      ":",
      "?",
      "”",
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 60 }), (parts) => {
        const line = parts.join("");
        const bare = withoutMarks(line);
        expect(bare.length).toBe(line.length);
        for (let at = 0; at < line.length; at++) expect([line[at], " "]).toContain(bare[at]);
      }),
    );
  });

  test("the time grows with the length", () => {
    const started = performance.now();
    for (const part of [".[", ". [a ", ".[[1]](", ".[1]:", ".[1] [2", ".   ", "[[["])
      withoutMarks(part.repeat(100_000));
    expect(performance.now() - started).toBeLessThan(4000);
  });
});
