import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Readable } from "node:stream";
import { afterEach, beforeEach, expect, it } from "vitest";
import { inputs } from "./inputs.ts";

let cwd: string;
beforeEach(() => {
  cwd = mkdtempSync(join(tmpdir(), "konteks-inputs-"));
  writeFileSync(join(cwd, "a.md"), "A");
});
afterEach(() => rmSync(cwd, { recursive: true, force: true }));

const stdin = (text: string) => Readable.from([Buffer.from(text)]);

it("takes files, globs, addresses and standard input", async () => {
  const typed = ["a.md", "**/*.md", "https://example.org/x", "-"];
  expect(await inputs(typed, { cwd, name: "note.md", stdin: stdin("words") })).toEqual([
    join(cwd, "a.md"),
    join(cwd, "**/*.md"),
    "https://example.org/x",
    [{ id: "note.md", bytes: new TextEncoder().encode("words") }],
  ]);
});

it("takes lists of paths from a file or from standard input, by lines or by zeros", async () => {
  const both = [join(cwd, "a.md"), join(cwd, "b c.md")];
  writeFileSync(join(cwd, "list"), "a.md\r\nb c.md\n\n");
  expect(await inputs([], { cwd, filesFrom: "list" })).toEqual([both]);
  expect(await inputs([], { cwd, filesFrom: "-", stdin: stdin("a.md\0b c.md\0") })).toEqual([both]);
});

it("says what is missing", async () => {
  await expect(inputs([], { cwd })).rejects.toThrow(/nothing to ingest/);
  await expect(inputs(["b.md"], { cwd })).rejects.toThrow(/There is no file/);
  await expect(inputs([], { cwd, filesFrom: "-", stdin: stdin("\n") })).rejects.toThrow(/empty/);
  await expect(inputs(["-"], { cwd, filesFrom: "-", stdin: stdin("") })).rejects.toThrow(/Use - once/);
});
