import { appendFileSync, readFileSync, writeFileSync } from "node:fs";
import { beforeEach, describe, expect, it } from "vitest";
import { file, konteks, text, writeQuestions } from "../../warranties.fixture.ts";

/** Starts as a PDF does, and is none. */
const damaged = () => writeFileSync(file("docs/scan.pdf"), "%PDF-1.4\nnot a page\n");
const asked = (command: string, ...args: readonly string[]) =>
  konteks(["eval", command, "docs", "--questions", "q.csv", ...args]);

const NOTE = "2 files cannot be read and are left out: ";

describe("files that cannot be read", () => {
  beforeEach(() => {
    writeQuestions();
    damaged();
    writeFileSync(
      file("docs/logo.png"),
      Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0, 0, 0]),
    );
  });

  it("hold up no question, are told once, and are named in results", async () => {
    const answers = await asked("answers", "--report", "a.html");
    expect(answers.code).toBe(0);
    expect(answers.err.split(NOTE)).toHaveLength(2);
    expect(answers.err).toMatch(/scan\.pdf.*\.konteksignore/);
    expect(readFileSync(file("a.html"), "utf8")).toContain(NOTE);
    const check = await asked("check", "--save", "b.jsonl", "--json");
    expect(JSON.parse(check.out)).toMatchObject({ questions: 6, leftOut: ["scan.pdf", "logo.png"] });
  });

  it("are told by the ladder and the sweep before they measure, and not taken for failures", async () => {
    const ladder = await asked("ladder", "--no-answers", "--report", "l.html");
    expect(ladder.code).toBe(0);
    expect(ladder.err.indexOf(NOTE)).toBeGreaterThan(-1);
    expect(ladder.err.indexOf(NOTE)).toBeLessThan(ladder.err.indexOf("measured: basic"));
    expect(ladder.out).toContain(NOTE);
    expect(readFileSync(file("l.html"), "utf8")).toContain(NOTE);
    const sweep = await asked("sweep", "--vary", "mode=text,hybrid");
    expect(sweep).toMatchObject({ code: 0, out: expect.stringContaining(NOTE) });
  });

  it("are an error where a passage that answers is in one", async () => {
    appendFileSync(file("q.csv"), "What is scanned?,a page,scan.pdf\n");
    for (const command of ["answers", "ladder"]) {
      const { code, err } = await asked(command);
      expect(err).toMatch(/q\.csv:8: "scan\.pdf" holds a passage that answers but cannot be read: /);
      expect(code).toBe(2);
    }
  });

  it("are an error where the index still has what they said before", async () => {
    await asked("answers");
    writeFileSync(file("docs/Fir.md"), Buffer.from([0, 1, 2, 3, 0, 0, 0, 255, 254, 0, 0]));
    const { code, err } = await asked("answers");
    expect(err).toMatch(/"Fir\.md" can no longer be read, and the index still has its earlier text/);
    expect(code).toBe(1);
    writeFileSync(file("docs/.konteksignore"), "Fir.md\n");
    expect((await asked("answers")).err).toContain('"Fir.md" is not in the corpus');
    writeFileSync(file("docs/.konteksignore"), "");
    writeFileSync(file("docs/Fir.md"), text("Fir"));
    expect((await asked("answers")).code).toBe(0);
  });
});

it("holds back figures where vectors are missing, and says what to do", async () => {
  writeQuestions();
  const { code, err } = await konteks(
    ["eval", "answers", "docs", "--questions", "q.csv", "--embedding-model", "openai:text-embedding-3-small"],
    { env: { OPENAI_API_KEY: "test", OPENAI_BASE_URL: "http://127.0.0.1:1" } },
  );
  expect(err).toMatch(/6 chunks could not be given the context or vector .*`konteks repair` finishes them/);
  expect(err).not.toMatch(/\.\. /);
  expect(code).toBe(1);
}, 60_000);
