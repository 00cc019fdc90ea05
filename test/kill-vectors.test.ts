import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { afterAll, beforeAll, expect, test } from "vitest";
import { verifySqliteStore } from "../src/stores/sqlite/index.ts";

/** Deaths of one ingest, one after the other. */
const DEATHS = 4;
const PAGES = 30;
/** Calls that are under way when the process dies, and texts of each. */
const IN_FLIGHT = 4 * 2;

let folder: string;
let docs: string;

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "konteks-kill-vectors-"));
  docs = join(folder, "docs");
  mkdirSync(docs);
  for (let page = 0; page < PAGES; page++)
    writeFileSync(join(docs, `${page}.md`), `# Page ${page}\n\nWord${page} is said on page ${page}.\n`);
});

afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** What the process said until it ended, or was killed after so many lines. */
async function linesOf(path: string, most: number, pause: number): Promise<readonly string[]> {
  const fixture = join(import.meta.dirname, "kill-vectors.fixture.ts");
  const child = spawn(process.execPath, [fixture, path, docs, String(pause)], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  const exited = once(child, "exit");
  let said = "";
  child.stdout.on("data", (data: Buffer) => {
    said += data;
    if (said.split("\n").length > most) child.kill("SIGKILL");
  });
  await Promise.all([text(child.stdout), exited]);
  return said.split("\n").slice(0, -1);
}

test("killed among the vectors again and again, every text is there, and no more is embedded twice than was under way", async () => {
  const path = join(folder, "index");
  const embedded: string[] = [];
  for (let death = 0; death < DEATHS; death++) {
    embedded.push(...(await linesOf(path, 5, 20)));
    const verified = await verifySqliteStore({ path: join(path, "index.sqlite") });
    expect(verified).toMatchObject({ problems: [], documents: PAGES });
  }
  const lines = await linesOf(path, Number.POSITIVE_INFINITY, 0);
  embedded.push(...lines.slice(0, -1));
  const { counts, incomplete } = JSON.parse(lines.at(-1) ?? "{}");
  expect(incomplete).toEqual([]);
  expect(counts).toMatchObject({ documents: PAGES, pending: 0, vectors: counts.chunks });
  const twice = embedded.length - new Set(embedded).size;
  expect(twice).toBeLessThanOrEqual(DEATHS * IN_FLIGHT);
  expect(new Set(embedded).size).toBe(PAGES);
}, 120_000);
