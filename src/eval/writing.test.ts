import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it } from "vitest";
import { openJournal } from "./journal.ts";
import { writeResult } from "./result-file.ts";
import { refuseUnwritable, writing, writingNow } from "./writing.ts";

const failing = (code: string) => () => {
  throw Object.assign(new Error(`${code}: open`), { code });
};

it("tells a file that cannot be written in a sentence, and leaves other errors as they are", async () => {
  expect(() => writingNow("q.jsonl", failing("EACCES"))).toThrow(
    "q.jsonl cannot be written: there is no permission. Check its name and permissions, or name a file elsewhere.",
  );
  await expect(writing("q.jsonl", async () => failing("EROFS")())).rejects.toMatchObject({
    code: "read-only",
  });
  expect(() => writingNow("q.jsonl", failing("ENOSPC"))).toThrow("no space left");
  expect(() => writingNow("q.jsonl", failing("EOTHER"))).toThrow("EOTHER: open");
});

it("is told of every file of an evaluation, and before the work where asked", async () => {
  const folder = mkdtempSync(join(tmpdir(), "konteks-writing-"));
  try {
    const inTheWay = join(folder, "file");
    writeFileSync(inTheWay, "");
    const below = join(inTheWay, "deeper", "x.jsonl");
    const message = /x\.jsonl cannot be written: what it lies in is no folder/;
    expect(() => refuseUnwritable(below)).toThrow(message);
    expect(() => refuseUnwritable(folder)).toThrow("it is a folder");
    expect(() => refuseUnwritable(join(folder, "new", "x.jsonl"))).not.toThrow();
    expect(() => openJournal(below)).toThrow(message);
    const index = { documents: 0, chunks: 0, tokens: 0, ms: 0, incomplete: 0, simulated: 0 };
    const none = { calls: 0, inputTokens: 0, outputTokens: 0, cacheReadTokens: 0, cacheWriteTokens: 0 };
    const result = {
      set: "s",
      setting: "x",
      index: { ...index, usage: { contexts: none, embeddings: none } },
    };
    await expect(writeResult(below, { ...result, rows: [] })).rejects.toThrow(message);
  } finally {
    rmSync(folder, { recursive: true });
  }
});
