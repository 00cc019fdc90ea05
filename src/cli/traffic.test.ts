import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { openKonteks } from "../open.ts";
import { main } from "./main.ts";

let cwd: string;
beforeEach(async () => {
  cwd = mkdtempSync(join(tmpdir(), "konteks-traffic-"));
  writeFileSync(
    join(cwd, "a.md"),
    "# Lease\n\nThe notice period is three months.\n\nThe rent is due monthly.\n",
  );
  const konteks = await openKonteks({ path: join(cwd, ".konteks") });
  await konteks.ingest(join(cwd, "a.md"));
  await konteks.close();
});
afterEach(() => rmSync(cwd, { recursive: true, force: true }));

async function cli(...argv: string[]) {
  let [out, err] = ["", ""];
  const code = await main({
    argv,
    cwd,
    env: {},
    signal: new AbortController().signal,
    stdout: { write: (text) => (out += text) },
    stderr: { write: (text) => (err += text) },
    open: openKonteks,
  });
  return { code, out, err };
}

it("keeps searches only when asked, counts those without a result, and takes a deleted document out", async () => {
  const log = join(cwd, ".konteks", "queries.jsonl");
  await cli("search", "notice period");
  expect(existsSync(log)).toBe(false);
  writeFileSync(join(cwd, "konteks.config.json"), '{"queryLog":true}');
  await cli("search", "notice period");
  await cli("search", "zzyzx vlurk");
  expect((await cli("status")).out).toContain("1 of 2 queries had no result");
  await cli("delete", "a.md");
  expect(readFileSync(log, "utf8")).not.toContain("a.md");
});

it("proposes logged searches as questions, and replays them with a reranker", async () => {
  expect(await cli("eval", "from-log")).toMatchObject({
    code: 1,
    err: expect.stringMatching(/no logged searches .* --query-log/),
  });
  for (const query of ["notice period", "notice period", "zzyzx vlurk"])
    await cli("search", query, "--query-log");
  const proposed = await cli("eval", "from-log", "--json");
  expect(JSON.parse(proposed.out)).toMatchObject({ logged: 3, proposed: [{ times: 1 }, { times: 2 }] });
  const lines = readFileSync(join(cwd, "questions.jsonl"), "utf8").trim().split("\n");
  expect(lines.map((line) => JSON.parse(line).unanswerable ?? false)).toEqual([true, false]);
  expect((await cli("eval", "from-log")).err).toContain("Nothing new to propose");
  const replayed = await cli("eval", "replay", "--json");
  expect(JSON.parse(replayed.out)).toMatchObject({ queries: 2, model: "built-in", cost: 0, same: 1 });
  const paid = await cli("eval", "replay", "--rerank", "cohere:rerank-v3.5");
  expect(paid).toMatchObject({ code: 2, err: expect.stringMatching(/Nothing was paid.*--yes/s) });
});

it("takes search settings in ask: a filter, words that say it otherwise, a reranker", async () => {
  const { out, err } = await cli("ask", "How long is the notice period?", "--where", "title = Other");
  expect(out + err).toMatch(/not found/i);
  const answered = await cli(
    "ask",
    "How long is the notice period?",
    "--also",
    "notice of months",
    "--rerank",
  );
  expect(answered.out).toContain("three months");
});
