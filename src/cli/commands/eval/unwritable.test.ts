import { mkdirSync, writeFileSync } from "node:fs";
import { expect, it } from "vitest";
import { file, konteks, writeQuestions } from "../../warranties.fixture.ts";

const NO_FOLDER = /cannot be written: what it lies in is no folder\. Check its name/;

it("tells questions that cannot be written", async () => {
  await konteks(["ingest", "docs"]);
  writeFileSync(file("blocked"), "");
  const { code, err } = await konteks(["eval", "add", "Who founded it?", "--questions", "blocked/q.jsonl"]);
  expect(err).toMatch(NO_FOLDER);
  expect(err).not.toContain("that should not");
  expect(code).toBe(1);
  writeQuestions();
  expect((await konteks(["eval", "add", "--from", "q.csv", "--questions", "blocked/q.jsonl"])).err).toMatch(
    NO_FOLDER,
  );
  const made = await konteks(["eval", "add", "Who founded it?", "--questions", "new/q.jsonl"]);
  expect(made.code).toBe(0);
});

it("tells results and reports that cannot be written before anything is measured", async () => {
  writeQuestions();
  writeFileSync(file("blocked"), "");
  mkdirSync(file("folder.html"));
  const eval_ = (command: string, ...args: readonly string[]) =>
    konteks(["eval", command, "docs", "--questions", "q.csv", ...args]);
  for (const command of ["answers", "check"]) {
    const { code, err, out } = await eval_(command, "--save", "blocked/run.jsonl");
    expect(err).toMatch(NO_FOLDER);
    expect(err).not.toContain("added");
    expect({ code, out }).toEqual({ code: 1, out: "" });
  }
  const ladder = await eval_("ladder", "--report", "folder.html");
  expect(ladder.err).toMatch(/folder\.html cannot be written: it is a folder/);
  expect(ladder.err).not.toContain("reading");
  const read = await konteks(["eval", "report", "docs"]);
  expect(read.err).toContain("Cannot read");
});
