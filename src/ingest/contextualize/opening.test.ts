import { expect, test } from "vitest";
import { openingOf } from "./opening.ts";

const opening = (text: string, nameless = false, title = "Duck") =>
  openingOf({ text, title, outline: [] }, { maxLength: 60, nameless });

const sentence = "Ducks are birds that swim on ponds.";

test.each([
  ["labels and menus", "Page semi-protected\n\nFrom Wikipedia, the free encyclopedia"],
  ["front matter", "---\ntitle: Duck\nabout: all that swims on ponds and more\n---"],
  ["its own title and headings", "# Duck\n\nDuck\n\n## A heading of many words that says nothing of it"],
  ["figures", "12 408 77 1999 3.5 12 8 9 100 200 300 a bc de 12 408 77 1999"],
])("a document begins behind %s", (_, before) => {
  expect(opening(`${before}\n\n${sentence}`)).toBe(sentence);
});

test.each([
  ["a table", "| Name | What it is said to be |\n| --- | --- |\n| Duck | a bird of ponds and lakes |"],
  ["a table that lost its marks", "Kingdom | what all animals are in\nClass | birds of all kinds"],
  ["markup", '<?xml version="1.0" encoding="utf-8" standalone="yes"?>'],
  ["data", '{ "a": "data is no text at all, long as it is" }'],
  ["code", "```js\nconst duck = makeDuck(pond, water, bread, more);\n```"],
])("%s first: passed over where the title is a file's name, else there is no opening", (_, before) => {
  expect(opening(`${before}\n\n${sentence}`, true, "d.md")).toBe(sentence);
  expect(opening(`${before}\n\n${sentence}`)).toBeUndefined();
});

test("blanks to be filled in, leaders and marks of Markdown are left out of it", () => {
  const text =
    "> This **agreement** is made on ________ between [Alpha](https://a.example) and ………… of the other part.";
  expect(opening(text)).toBe("This agreement is made on between Alpha and of the other part.");
});

test("a cover speaks where the title is a file's name", () => {
  const cover =
    "FORM 10-K\n\nAnnual report\n\nGalaxy Gaming, Inc.\n\nThe company makes games for casinos of all kinds.";
  expect(opening(cover, true, "glxz-10k")).toBe(
    "FORM 10-K Annual report Galaxy Gaming, Inc. The company makes games for casinos of all kinds.",
  );
  expect(opening(cover, false, "Galaxy")).toBe("The company makes games for casinos of all kinds.");
});

test("where words are not set apart, letters make a sentence", () => {
  const chinese = "目录\n\n鸭是一种在池塘和湖泊里游泳的水鸟。";
  expect(opening(chinese)).toBe("鸭是一种在池塘和湖泊里游泳的水鸟。");
});

test("a document without sentences begins with its first words; one without words has no opening", () => {
  expect(opening("Short words\n\nMore words")).toBe("Short words");
  expect(opening("12, 13\n\n---")).toBeUndefined();
  expect(opening("", true)).toBeUndefined();
});
