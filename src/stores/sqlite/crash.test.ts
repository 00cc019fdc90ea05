import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { gunzipSync } from "node:zlib";
import { afterAll, expect, test } from "vitest";
import { seededRandom } from "../../eval/random.ts";
import { analyzeBuilt, put, words } from "../../testing/store/fixtures.ts";
import { openSqliteStore, verifySqliteStore } from "./index.ts";
import { endOtherProcesses, otherProcess, otherProgram } from "./other-process.fixture.ts";

const folder = mkdtempSync(join(tmpdir(), "konteks-crash-"));
afterAll(() => {
  endOtherProcesses();
  rmSync(folder, { recursive: true, force: true });
});

/** 20 where every change is tested; `npm run test:crash` makes 200. */
const ROUNDS = Number(process.env.KONTEKS_CRASH_ROUNDS ?? 20);

/** Of a document's version; some are too large for one commit. */
const chunkCount = (version: number) => 1 + (version % 40) + (version % 13 === 0 ? 250 : 0);

/**
 * Writes without end, several at a time and of all sizes, so that commits, merges and cleaning are all under way, in
 * some rounds compacting as well; says what was acknowledged. Each version of a document says so in every chunk.
 */
const writer = (from: number, compacting: boolean) => `
  let v = ${from};
  const one = async () => {
    for (;;) {
      const version = v++;
      const id = "d" + (version * 7) % 61;
      if (version % 9 === 8) { await store.deleteDocument(id); say("delete " + id + " " + version); continue; }
      const chunks = Array.from({ length: (${chunkCount})(version) }, (_, i) =>
        ({ text: "version" + version + " all c" + i + " own" + version * 3, vectors: [[version, i, 1]] }));
      await put(store, { id, chunks });
      say("put " + id + " " + version);
    }
  };
  const compacting = async () => {
    for (;;) {
      await compactSqliteStore({ path, analyze: analyzeBuilt });
      await new Promise((r) => setTimeout(r, 10));
    }
  };
  await Promise.all([one(), one(), one(), ${compacting ? "compacting()" : ""}]);
`;

test(`kill -9 at any moment, ${ROUNDS} times, leaves whole documents, all that were acknowledged`, {
  timeout: ROUNDS * 20_000,
}, async () => {
  const path = join(folder, "killed.sqlite");
  const random = seededRandom(Date.now());
  const acknowledged = new Map<string, number>();
  for (let round = 0; round < ROUNDS; round++) {
    const other = otherProcess(path, writer(round * 1_000_000, round % 3 === 2));
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
    expect(count).toBe(chunkCount(version));
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

/** Migrates one copy of the kept file of format 1 after the other: by opening, writing to it, and compacting. */
const migrator = (kept: string, path: string) => `
  import { copyFileSync, renameSync } from "node:fs";
  for (let n = 0; ; n++) {
    const path = ${JSON.stringify(path)} + n;
    copyFileSync(${JSON.stringify(kept)}, path + ".part");
    renameSync(path + ".part", path);
    say("there " + n);
    const store = await openSqliteStore({ path });
    if (n % 2 === 0) {
      const writes = Array.from({ length: 12 }, (_, i) =>
        put(store, { id: "new" + i, chunks: [{ text: "all new" + i + " n" + n, vectors: [[i, n, 1]] }] }).then(() => say("put " + n + " new" + i)));
      if (n % 4 === 0) await Promise.all(writes);
    }
    await compactSqliteStore({ path, analyze: analyzeBuilt });
    await store.close();
  }
`;

test(`kill -9 while a file of format 1 is migrated, ${ROUNDS} times, loses nothing of it`, {
  timeout: ROUNDS * 20_000,
}, async () => {
  const kept = join(folder, "format-1.sqlite");
  writeFileSync(kept, gunzipSync(readFileSync(new URL("./fixtures/format-1.sqlite.gz", import.meta.url))));
  const before = await answersOf(kept);
  const { problems } = await verifySqliteStore({ path: kept, analyze: analyzeBuilt });
  expect(before.all.length).toBeGreaterThan(20);
  const random = seededRandom(Date.now());
  for (let round = 0; round < ROUNDS; round++) {
    const home = join(folder, `migrated-${round}`);
    mkdirSync(home);
    const other = otherProgram(migrator(kept, join(home, "file-")));
    while (other.lines.length < 1 && other.child.exitCode === null) await sleep(2);
    await sleep(200 * random() ** 2);
    other.child.kill("SIGKILL");
    await other.ended;
    expect(other.errors).toEqual([]);
    const n = other.lines.filter((line) => line.startsWith("there")).length - 1;
    const path = join(home, `file-${n}`);
    expect((await verifySqliteStore({ path, analyze: analyzeBuilt })).problems).toEqual(problems);
    const written = other.lines
      .filter((line) => line.startsWith(`put ${n} `))
      .map((line) => line.split(" ")[2]);
    const after = await answersOf(path);
    expect(after.old).toEqual(before.old);
    for (const id of written) expect(after.all).toContain(`${id}#0`);
    rmSync(home, { recursive: true });
  }
});

/** Chunks of the documents that were there, and the ids of all chunks that hold a word which every one has. */
async function answersOf(path: string) {
  const copy = `${path}-read`;
  for (const ending of ["", "-wal"]) {
    if (existsSync(`${path}${ending}`)) copyFileSync(`${path}${ending}`, `${copy}${ending}`);
  }
  const store = await openSqliteStore({ path: copy });
  const found = await store.searchText({ terms: words("all"), limit: 100 });
  const ids = (await store.listDocuments()).map(({ id }) => id).filter((id) => id.startsWith("d"));
  const old = await Promise.all(ids.map((id) => store.chunksOf(id)));
  await store.close();
  return { old, all: found.map(({ chunkId }) => chunkId) };
}

test("kill -9 while an index is emptied leaves all of it or nothing, and rows that the next writer removes", {
  timeout: ROUNDS * 20_000,
}, async () => {
  const full = join(folder, "full.sqlite");
  const filled = await openSqliteStore({ path: full });
  for (let i = 0; i < 60; i++) {
    const chunks = Array.from({ length: 40 }, (_, n) => ({ text: `all d${i} c${n}`, vectors: [[i, n, 1]] }));
    await put(filled, { id: `d${i}`, chunks });
  }
  await filled.close();
  const random = seededRandom(Date.now());
  const emptying = 'say("begin"); await store.clear(); say("cleared");';
  for (let round = 0; round < ROUNDS / 4; round++) {
    const path = join(folder, `emptied-${round}.sqlite`);
    copyFileSync(full, path);
    const other = otherProcess(path, emptying);
    while (other.lines.length < 1 && other.child.exitCode === null) await sleep(1);
    await sleep(60 * random());
    other.child.kill("SIGKILL");
    await other.ended;
    expect(other.errors).toEqual([]);
    const { problems, documents } = await verifySqliteStore({ path, analyze: analyzeBuilt });
    expect(problems).toEqual([]);
    expect(other.lines.includes("cleared") ? [0] : [0, 60]).toContain(documents);
    const store = await openSqliteStore({ path });
    await store.writeSetting("key", "value");
    await store.close();
    if (documents === 0) expect(statSync(path).size).toBeLessThan(statSync(full).size / 2);
    rmSync(path);
  }
});

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
