import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, expect, test } from "vitest";
import { seededRandom } from "../../eval/random.ts";
import { analyzeBuilt } from "../../testing/store/fixtures.ts";
import { openSqliteStore, verifySqliteStore } from "./index.ts";
import { endOtherProcesses, otherProcess } from "./other-process.fixture.ts";

const folder = mkdtempSync(join(tmpdir(), "konteks-crash-"));
afterAll(() => {
  endOtherProcesses();
  rmSync(folder, { recursive: true, force: true });
});

/** 20 where every change is tested; `npm run test:crash` makes 200. */
const ROUNDS = Number(process.env.KONTEKS_CRASH_ROUNDS ?? 20);

/**
 * Writes without end, several at a time and of all sizes, so that commits, merges and cleaning are all under way; says
 * what was acknowledged. Each version of a document says so in every chunk.
 */
const writer = (from: number) => `
  let v = ${from};
  const one = async () => {
    for (;;) {
      const version = v++;
      const id = "d" + (version * 7) % 61;
      if (version % 9 === 8) { await store.deleteDocument(id); say("delete " + id + " " + version); continue; }
      const chunks = Array.from({ length: 1 + (version % 40) }, (_, i) =>
        ({ text: "version" + version + " all c" + i + " own" + version * 3, vectors: [[version, i, 1]] }));
      await put(store, { id, chunks });
      say("put " + id + " " + version);
    }
  };
  await Promise.all([one(), one(), one()]);
`;

test(`kill -9 at any moment, ${ROUNDS} times, leaves whole documents, all that were acknowledged`, {
  timeout: ROUNDS * 20_000,
}, async () => {
  const path = join(folder, "killed.sqlite");
  const random = seededRandom(Date.now());
  const acknowledged = new Map<string, number>();
  for (let round = 0; round < ROUNDS; round++) {
    const other = otherProcess(path, writer(round * 1_000_000));
    while (other.lines.length < 3 && other.child.exitCode === null) await sleep(2);
    await sleep(300 * random() ** 2);
    other.child.kill("SIGKILL");
    await other.ended;
    expect(other.errors).toEqual([]);
    for (const line of other.lines) {
      const [kind, id = "", version] = line.split(" ");
      if (kind === "put") acknowledged.set(id, Number(version));
      else acknowledged.delete(id);
    }
    await expectWhole(path, acknowledged);
  }
});

/** Each document is of one version, no older than the acknowledged one; the index agrees with the rows. */
async function expectWhole(path: string, acknowledged: Map<string, number>): Promise<void> {
  expect((await verifySqliteStore({ path, analyze: analyzeBuilt })).problems).toEqual([]);
  const store = await openSqliteStore({ path });
  const present = new Set<string>();
  for (const { id, chunks: count } of await store.listDocuments()) {
    present.add(id);
    const chunks = await store.chunksOf(id);
    const versions = new Set(chunks.map(({ chunk }) => Number(/^version(\d+)/.exec(chunk.text)?.[1])));
    const [version = Number.NaN] = versions;
    expect(versions.size).toBe(1);
    expect(count).toBe(1 + (version % 40));
    expect(version).toBeGreaterThanOrEqual(acknowledged.get(id) ?? 0);
  }
  // A delete under way may have been made without being acknowledged: three at most.
  const missing = [...acknowledged.keys()].filter((id) => !present.has(id));
  expect(
    missing.length,
    `missing: ${missing.map((id) => `${id} v${acknowledged.get(id)}`).join()}`,
  ).toBeLessThanOrEqual(3);
  for (const id of missing) acknowledged.delete(id);
  await store.close();
}

test("kill -9 while an index is made leaves no draft behind once it is opened", async () => {
  const path = join(folder, "drafts", "index.sqlite");
  for (let round = 0; round < 4; round++) {
    const other = otherProcess(`${path}`, 'say("open"); await new Promise((r) => setTimeout(r, 60000));');
    await sleep(60 * round);
    other.child.kill("SIGKILL");
    await other.ended;
    const store = await openSqliteStore({ path });
    await store.close();
    expect(readdirSync(join(folder, "drafts")).filter((name) => name.includes(".new-"))).toEqual([]);
    rmSync(path);
  }
});
