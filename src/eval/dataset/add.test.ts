import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { addQuestion } from "./add.ts";
import { locateGold } from "./locate.ts";
import { readQuestions } from "./read.ts";

const documents = [{ id: "a.md", text: "The fee is 12 %. The fee is due." }];
let folder = "";
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "konteks-add-"));
});
afterAll(() => rm(folder, { recursive: true }));

it("makes the file, stores words and offsets, and goes on after lines written by hand", async () => {
  const path = join(folder, "own.jsonl");
  const fee = { text: "What is the fee?", gold: [{ documentId: "a.md", quote: "fee is  12 %" }] };
  expect(await addQuestion(path, fee, documents)).toMatchObject({
    id: "q1",
    gold: [{ documentId: "a.md", start: 4, end: 15, quote: "fee is 12 %" }],
  });
  await writeFile(path, `${await readFile(path, "utf8")}{"id":"q3","text":"By hand?","unanswerable":true}`);
  await addQuestion(path, { text: "What colour?", gold: [], tags: ["none"] }, documents);
  const questions = locateGold((await readQuestions(path)).questions, documents);
  expect(questions.map(({ id, unanswerable }) => [id, unanswerable])).toEqual([
    ["q1", false],
    ["q3", true],
    ["q4", true],
  ]);
});

it("refuses what does not stand there once, and a question that is there", async () => {
  const path = join(folder, "strict.jsonl");
  const ask = (quote: string) =>
    addQuestion(path, { text: "?", gold: [{ documentId: "a.md", quote }] }, documents);
  await expect(ask("The fee")).rejects.toThrow(/stands 2 times/);
  await expect(ask("no such words")).rejects.toThrow(/does not stand/);
  await ask("12 %");
  await expect(ask("12 %")).rejects.toThrow(/strict\.jsonl:1 already/);
});
