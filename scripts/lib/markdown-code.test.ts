import { expect, test } from "vitest";
import { codeBlocks } from "./markdown-code.ts";

test("fences come with language, line and the reason for not running them", () => {
  const page =
    "# A\n\n```ts\nconst a = 1;\n\nb();\n```\n\n<!-- not run: needs a key -->\n\n```sh\nnpx x\n```\n";
  expect(codeBlocks(page)).toEqual([
    { language: "ts", code: "const a = 1;\n\nb();", line: 3 },
    { language: "sh", code: "npx x", line: 11, notRun: "needs a key" },
  ]);
});

test("a reason holds for the next block only", () => {
  const page = "<!-- not run: slow -->\n```sh\na\n```\ntext\n```sh\nb\n```\n";
  expect(codeBlocks(page).map(({ notRun }) => notRun)).toEqual(["slow", undefined]);
});

test("a fence that is never closed is an error, not a silent end of the page", () => {
  expect(() => codeBlocks("a\n```ts\nlost")).toThrow("line 2");
});
