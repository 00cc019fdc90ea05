import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterEach, beforeEach, expect, it } from "vitest";
import { type SimulatedProvider, startSimulatedProvider } from "../testing/index.ts";
import { main } from "./main.ts";

const PAGES = 450;
const EMBEDDING = ["--embedding-model", "openai:text-embedding-3-small"];

let cwd: string;
let provider: SimulatedProvider;
beforeEach(async () => {
  cwd = mkdtempSync(join(tmpdir(), "konteks-late-"));
  provider = await startSimulatedProvider({ latencyMs: 20 });
  mkdirSync(join(cwd, "docs"));
  for (let page = 0; page < PAGES; page++)
    writeFileSync(join(cwd, "docs", `${page}.md`), `# Page ${page}\n\nWord${page} is said here.\n`);
});
afterEach(async () => {
  await provider.close();
  rmSync(cwd, { recursive: true, force: true });
});

async function konteks(argv: readonly string[], signal = new AbortController().signal) {
  let [out, err] = ["", ""];
  const code = await main({
    argv,
    cwd,
    env: { OPENAI_BASE_URL: provider.baseUrls.openai, OPENAI_API_KEY: "any" },
    signal,
    stdout: { write: (text) => (out += text) },
    stderr: { write: (text) => (err += text) },
  });
  return { code, out, err };
}

/** Stops a command once so many calls were made. */
async function stoppedAfter(calls: number, argv: readonly string[]) {
  const controller = new AbortController();
  const run = konteks(argv, controller.signal);
  while (provider.ledger.filter(({ status }) => status === 200).length < calls) await sleep(2);
  controller.abort();
  return run;
}

it("says after Ctrl-C how many vectors there are, searches without them, and goes on where it was", async () => {
  const stopped = await stoppedAfter(3, ["ingest", "docs", ...EMBEDDING]);
  const [, have] =
    /^konteks: stopped; 450 documents are in the index; (\d+) of 450 chunks have vectors, the others are found by text alone; run the same command to go on\.$/m.exec(
      stopped.err,
    ) ?? [];
  expect(stopped.code).toBe(130);
  const waiting = PAGES - Number(have);
  expect(waiting).toBeGreaterThan(0);
  expect((await konteks(["status"])).out.replace(/\s+/g, " ")).toContain(
    `incomplete ${have} of 450 chunks have vectors; konteks repair`,
  );
  const found = await konteks(["search", "word440"]);
  expect(found.out).toContain("Word440 is said here.");
  const note = `${waiting} of 450 chunks have no vector yet and are found by text alone. To finish the index, unless an ingest is at it: konteks repair`;
  expect((found.out + found.err).replace(/\s+/g, " ")).toContain(note);
  expect(JSON.parse((await konteks(["search", "word440", "--json"])).out).notes).toEqual([note]);
  const asked = await konteks(["ask", "Where is word440 said?"]);
  expect((asked.out + asked.err).replace(/\s+/g, " ")).toContain(note);
  expect(await konteks(["verify"])).toMatchObject({ code: 0 });

  const again = await konteks(["ingest", "docs", ...EMBEDDING]);
  expect(again.out).toMatch(/^450 unchanged in .* \(0 chunks written, (\d+) chunks embedded\)/);
  expect(again.code).toBe(0);
  const texts = provider.ledger
    .filter(({ status, path }) => status === 200 && path.endsWith("/embeddings"))
    .flatMap(({ body }) => body.input as string[])
    .filter((text) => text.includes("is said here"));
  // Two calls of each of two groups may have been under way when the run was stopped.
  expect(texts.length - new Set(texts).size).toBeLessThanOrEqual(4 * 96);
  expect((await konteks(["status"])).out).toMatch(/incomplete +nothing/);
});

it("a provider that refuses loses nothing: the run ends with 1 and says what waits, repair finishes it", async () => {
  provider.failNext({ status: 401, message: "no such key", times: 1_000, path: "/embeddings" });
  const failed = await konteks(["ingest", "docs", ...EMBEDDING]);
  expect(failed.out).toMatch(/^450 added .*\(450 chunks written\)/);
  expect(failed.out.replace(/\s+/g, " ")).toMatch(
    /In the index, but incomplete \(450\): 0\.md#0 and 449 others \(--json lists all\): embedding: /,
  );
  expect(failed.code).toBe(1);
  // All groups after the first would fail in the same way.
  expect(provider.ledger.length).toBeLessThan(10);
  const found = await konteks(["search", "word7"]);
  expect(found.out).toContain("Word7 is said here.");
  expect(found.code).toBe(0);
  const shown = await konteks(["show", "0.md"]);
  expect(shown.out.replace(/\s+/g, " ")).toMatch(/incomplete no vectors yet: chunk 0 \(.*\); konteks repair/);
  await provider.close();
  provider = await startSimulatedProvider({ latencyMs: 20 });
  const stopped = await stoppedAfter(2, ["repair"]);
  expect(stopped.err).toMatch(/450 documents are in the index; \d+ of 450 chunks have vectors, .*go on\.$/m);
  expect(stopped.code).toBe(130);
  const repaired = await konteks(["repair"]);
  expect(repaired.out).toMatch(/^\d+ chunks embedded in /);
  expect(repaired.code).toBe(0);
  expect((await konteks(["repair"])).out).toContain("Nothing is missing.");
});
