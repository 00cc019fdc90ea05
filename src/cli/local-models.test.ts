import { mkdtempSync, rmSync } from "node:fs";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { PassThrough } from "node:stream";
import { afterEach, beforeEach, expect, test } from "vitest";
import { writeTinyModel } from "../models/local/tiny-model.fixture.ts";
import { main } from "./main.ts";

let cwd: string;
beforeEach(async () => {
  cwd = mkdtempSync(join(tmpdir(), "konteks-cli-models-"));
  await writeTinyModel(join(cwd, "tiny"));
});
afterEach(() => rmSync(cwd, { recursive: true, force: true }));

async function cli(...argv: readonly string[]) {
  let [out, err] = ["", ""];
  const code = await main({
    argv,
    cwd,
    input: Object.assign(new PassThrough(), { isTTY: false }),
    env: { KONTEKS_MODELS: join(cwd, "models"), NO_COLOR: "1" },
    signal: new AbortController().signal,
    stdout: { write: (text: string) => (out += text) },
    stderr: { write: (text: string) => (err += text) },
  });
  return { code, out, err };
}

test("a model is pulled from a folder, listed, found and removed", async () => {
  expect((await cli("models", "list")).out).not.toContain("tiny");
  const pulled = await cli("models", "pull", join(cwd, "tiny"));
  expect(pulled).toMatchObject({ code: 0, out: expect.stringContaining(join(cwd, "models", "tiny")) });
  const listed = JSON.parse((await cli("models", "list", "--json")).out);
  expect(listed.installed).toMatchObject([{ card: { name: "tiny", dimensions: 8 } }]);
  expect((await cli("models", "path", "tiny")).out.trim()).toBe(join(cwd, "models", "tiny"));
  expect((await cli("models", "remove", "tiny")).code).toBe(0);
  expect((await cli("models", "path", "tiny")).err).toContain("not on this machine");
});

test("a file that has changed since is told before anything is loaded", async () => {
  await cli("models", "pull", join(cwd, "tiny"));
  const file = join(cwd, "models", "tiny", "tokenizer.json");
  await writeFile(file, `${await readFile(file, "utf8")} `);
  const { code, err } = await cli("models", "test", "tiny");
  expect(code).toBe(1);
  expect(err).toContain("tokenizer.json of the model tiny is not what was pulled");
});

test("no path is removed", async () => {
  expect((await cli("models", "remove", "./tiny")).err).toContain("is a path");
  expect((await cli("models", "pull", "./tiny")).code).toBe(0);
});

test("one line says what a model of this machine would bring, as long as none is here", async () => {
  await mkdir(join(cwd, "docs"));
  await writeFile(join(cwd, "docs", "lease.md"), "# Lease\n\nThe notice period is three months.\n");
  const hint =
    /^Finds what is said in other words, on this machine: konteks models pull multilingual-e5-small \([\d.]+ MB, once\)\.$/m;
  expect((await cli("init")).err).toMatch(hint);
  const ask = () => cli("ask", "docs", "How long is the notice period?");
  expect((await ask()).err).toMatch(hint);
  expect((await ask()).err).not.toMatch(hint);
  const status = (...more: string[]) => cli("status", "--index", join(cwd, "docs", ".konteks"), ...more);
  expect((await status()).err).toMatch(hint);
  expect((await status("--json")).err).toBe("");
  await cli("models", "pull", join(cwd, "tiny"));
  expect((await status()).err).not.toMatch(hint);
});
