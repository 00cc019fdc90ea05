import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { afterAll, beforeAll, expect, test } from "vitest";
import { openKonteks } from "../src/open.ts";
import { verifySqliteStore } from "../src/stores/sqlite/index.ts";

/** Deaths of an ingest whose documents are prepared in other processes and written together. */
const rounds = Number(process.env.KONTEKS_KILL_ROUNDS ?? 2);
const pages = 120;

let folder: string;
let docs: string;

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "konteks-kill-ingest-"));
  docs = join(folder, "docs");
  mkdirSync(docs);
  for (let page = 0; page < pages; page++) writeFileSync(join(docs, `${page}.md`), pageOf(page));
});

afterAll(() => rmSync(folder, { recursive: true, force: true }));

function pageOf(page: number): string {
  const lines = Array.from(
    { length: 40 },
    (_, line) => `Word${page}x${line} of page ${page} is said ${line} times.`,
  );
  return `# Page ${page}\n\n${lines.join("\n\n")}\n`;
}

/** The documents that were said to be written before the process was killed, after so many of them. */
async function killedAfter(path: string, most: number): Promise<readonly string[]> {
  const fixture = join(import.meta.dirname, "kill-ingest.fixture.ts");
  const child = spawn(process.execPath, [fixture, path, docs], { stdio: ["ignore", "pipe", "inherit"] });
  const exited = once(child, "exit");
  let said = "";
  child.stdout.on("data", (data: Buffer) => {
    said += data;
    if (said.split("\n").length > most) child.kill("SIGKILL");
  });
  await Promise.all([text(child.stdout), exited]);
  return said.split("\n").slice(0, -1);
}

test(
  "killed at any moment, the index is whole, with every document that was said to be in it",
  async () => {
    for (let round = 0; round < rounds; round++) {
      const path = join(folder, `index-${round}`);
      const said = await killedAfter(path, (round * 37) % pages);
      const { problems } = await verifySqliteStore({ path: join(path, "index.sqlite") });
      expect(problems).toEqual([]);
      const konteks = await openKonteks({ path });
      const chunks = new Map((await konteks.documents()).map((document) => [document.id, document.chunks]));
      expect(said.filter((id) => (chunks.get(id) ?? 0) === 0)).toEqual([]);
      const { added, unchanged } = await konteks.ingest(docs);
      expect(added + unchanged).toBe(pages);
      expect(unchanged).toBe(chunks.size);
      await konteks.close();
    }
  },
  120_000 * rounds,
);
