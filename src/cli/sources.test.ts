import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Readable } from "node:stream";
import { setTimeout as sleep } from "node:timers/promises";
import { afterEach, beforeEach, expect, it } from "vitest";
import { main } from "./main.ts";

let cwd: string;
beforeEach(() => {
  cwd = mkdtempSync(join(tmpdir(), "konteks-sources-"));
});
afterEach(() => rmSync(cwd, { recursive: true, force: true }));

function start(argv: readonly string[], input = "") {
  const out: string[] = [];
  const controller = new AbortController();
  const done = main({
    argv,
    cwd,
    env: {},
    signal: controller.signal,
    stdout: { write: (piece) => void out.push(piece) },
    stderr: { write: () => {} },
    input: Readable.from([Buffer.from(input)]),
  });
  return { lines: () => out.join("").split("\n").filter(Boolean), done, stop: () => controller.abort() };
}

async function documents(): Promise<readonly string[]> {
  const { lines, done } = start(["documents", "--json"]);
  await done;
  return (JSON.parse(lines().join("\n")) as { documents: { id: string }[] }).documents.map(({ id }) => id);
}

it("ingests standard input, globs and lists of paths", async () => {
  writeFileSync(join(cwd, "a.md"), "# A");
  writeFileSync(join(cwd, "b.txt"), "B");
  expect(await start(["ingest", "-", "--name", "note.md"], "# Note").done).toBe(0);
  expect(await start(["ingest", "*.md", "--quiet"]).done).toBe(0);
  expect(await documents()).toEqual(["a.md", "note.md"]);
  expect(await start(["ingest"]).done).toBe(2);
});

it("watches a folder until it is stopped", async () => {
  writeFileSync(join(cwd, "a.md"), "# A");
  const { lines, done, stop } = start(["watch", ".", "--json"]);
  const reports = async (count: number) => {
    for (let tries = 0; tries < 400 && lines().length < count; tries++) await sleep(25);
    return lines().map((line) => JSON.parse(line) as { added: number; deleted: number });
  };
  expect((await reports(1))[0]?.added).toBe(1);
  await sleep(200);
  writeFileSync(join(cwd, "b.md"), "# B");
  rmSync(join(cwd, "a.md"));
  expect((await reports(2))[1]).toMatchObject({
    added: 1,
    deleted: 1,
    documents: [
      { id: "b.md", status: "added" },
      { id: "a.md", status: "deleted" },
    ],
  });
  stop();
  await done;
  expect(await documents()).toEqual(["b.md"]);
});
