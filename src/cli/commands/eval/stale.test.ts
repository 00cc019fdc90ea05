import { mkdirSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { expect, it } from "vitest";
import { file, konteks, writeQuestions } from "../../warranties.fixture.ts";

const mail = (attached: string) =>
  [
    "From: a@example.com",
    "Subject: Tools",
    "MIME-Version: 1.0",
    'Content-Type: multipart/mixed; boundary="b"',
    "",
    "--b",
    "Content-Type: text/plain",
    "",
    "The terms are attached.",
    "--b",
    "Content-Type: text/plain",
    'Content-Disposition: attachment; filename="terms.txt"',
    "",
    attached,
    "--b--",
    "",
  ].join("\r\n");

const touch = (name: string) => utimesSync(file(name), new Date(), new Date(Date.now() + 60_000));

it("compares what is inside a file through that file", async () => {
  writeQuestions();
  mkdirSync(file("docs/mails"));
  writeFileSync(file("docs/mails/one.eml"), mail("Rust is not covered."));
  await konteks(["ingest", "docs"]);
  const answers = () => konteks(["eval", "answers", "--questions", "q.csv"]);
  expect(await answers()).toMatchObject({ code: 0 });
  touch("docs/mails/one.eml");
  expect(await answers()).toMatchObject({ code: 0 });
  writeFileSync(file("docs/mails/one.eml"), mail("Rust is covered."));
  touch("docs/mails/one.eml");
  const changed = await answers();
  expect(changed.code).toBe(2);
  expect(changed.err).toContain('older than 1 of its files, the first is "mails/one.eml/terms.txt"');
  rmSync(file("docs/mails"), { recursive: true });
  expect((await answers()).err).toContain("older than 2 of its files");
});

it("reads data files as the configuration says", async () => {
  writeQuestions();
  writeFileSync(file("konteks.config.json"), JSON.stringify({ ingest: { records: { text: "body" } } }));
  writeFileSync(file("docs/notes.jsonl"), '{"body":"Oak is heavy."}\n{"body":"Pine is light."}\n');
  await konteks(["ingest", "docs"]);
  touch("docs/notes.jsonl");
  const answers = () => konteks(["eval", "answers", "--questions", "q.csv"]);
  expect(await answers()).toMatchObject({ code: 0 });
  writeFileSync(file("docs/notes.jsonl"), '{"body":"Oak is heavy."}\n');
  touch("docs/notes.jsonl");
  expect((await answers()).err).toContain('"notes.jsonl/2"');
});
