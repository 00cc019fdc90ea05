import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, expect, test } from "vitest";
import { isKonteksError, type Store } from "../../spec/index.ts";
import { buildDocument, put, words } from "../../testing/store/fixtures.ts";
import { oracleText } from "../../testing/store/oracle.ts";
import { openSqliteStore } from "./index.ts";
import { nodeSqlite } from "./node-sqlite.ts";

const folder = mkdtempSync(join(tmpdir(), "konteks-processes-"));
const children: ChildProcess[] = [];
afterAll(() => {
  for (const child of children) child.kill("SIGKILL");
  rmSync(folder, { recursive: true, force: true });
});

/** Runs a script in another process; `store` is open there and `put` and `say` are at hand. Gives its lines. */
function otherProcess(path: string, script: string) {
  const url = (file: string) => JSON.stringify(new URL(file, import.meta.url).href);
  const program = `
    import { openSqliteStore } from ${url("./index.ts")};
    import { put } from ${url("../../testing/store/fixtures.ts")};
    const say = (line) => process.stdout.write(line + "\\n");
    const store = await openSqliteStore({ path: ${JSON.stringify(path)} });
    ${script}
    await store.close();
  `;
  const child = spawn(process.execPath, ["--input-type=module", "-e", program], {
    stdio: ["ignore", "pipe", "pipe"],
  });
  children.push(child);
  const lines: string[] = [];
  const errors: string[] = [];
  createInterface({ input: child.stdout }).on("line", (line) => lines.push(line));
  child.stderr.on("data", (data) => errors.push(String(data)));
  const ended = once(child, "close");
  async function said(line: string): Promise<void> {
    while (!lines.includes(line)) {
      if (child.exitCode !== null) throw new Error(`ended early: ${errors.join("")}`);
      await sleep(5);
    }
  }
  return { child, lines, errors, ended, said };
}

async function found(store: Store, text: string): Promise<string[]> {
  return (await store.searchText({ terms: words(text), limit: 50 })).map(({ chunkId }) => chunkId);
}

test("a commit of another process is seen at once, by writers and read-only readers", async () => {
  const path = join(folder, "seen.sqlite");
  const store = await openSqliteStore({ path });
  const reader = await openSqliteStore({ path, readOnly: true });
  await put(store, { id: "d", chunks: [{ text: "old", vectors: [[1, 0]] }, "old"] });
  await put(store, { id: "gone", chunks: ["old"] });
  expect(await found(reader, "old")).toEqual(["d#0", "d#1", "gone#0"]);
  const filter = { field: "n", op: "eq", value: 1 } as const;
  expect(await reader.searchText({ terms: words("old"), limit: 5, filter })).toEqual([]);

  const other = otherProcess(
    path,
    `await put(store, { id: "d", metadata: { n: 1 }, language: "vi", chunks: [{ text: "new", vectors: [[0, 1]] }] });
     await store.deleteDocument("gone");
     for (let i = 0; i < 12; i++) await put(store, { id: "more" + i, chunks: ["filler"] });`,
  );
  await other.ended;
  expect(other.errors).toEqual([]);
  for (const one of [store, reader]) {
    expect(await found(one, "old")).toEqual([]);
    expect(await found(one, "new")).toEqual(["d#0"]);
    expect(await found(one, "filler")).toHaveLength(12);
    expect(await one.searchText({ terms: words("new"), limit: 5, filter })).toHaveLength(1);
    const near = await one.searchVector({ vector: Float32Array.of(0, 1), limit: 5 });
    expect(near.map(({ chunkId }) => chunkId)).toEqual(["d#0"]);
    expect(await one.languages()).toEqual(["vi"]);
    await one.close();
  }
});

test("two processes that write at the same time lose nothing", async () => {
  const path = join(folder, "both.sqlite");
  const script = (name: string) =>
    `for (let i = 0; i < 40; i++) await put(store, { id: "${name}" + i, chunks: ["word ${name}", "word"] });`;
  const both = [otherProcess(path, script("a")), otherProcess(path, script("b"))];
  await Promise.all(both.map(({ ended }) => ended));
  expect(both.flatMap(({ errors }) => errors)).toEqual([]);
  const store = await openSqliteStore({ path });
  expect(await store.documentFrequencies(["word", "a", "b"])).toEqual({
    chunks: 160,
    frequencies: [160, 40, 40],
  });
  await store.close();
});

test("the lock names its holder, and is free again when the holder is killed", async () => {
  const path = join(folder, "lock.sqlite");
  const holder = otherProcess(
    path,
    `await store.exclusively("ingest of docs", async () => { say("holding"); await new Promise((r) => setTimeout(r, 60000)); });`,
  );
  await holder.said("holding");
  const store = await openSqliteStore({ path });
  const error = await store.exclusively("mine", async () => 1).catch((caught: unknown) => caught);
  expect(isKonteksError(error, "index-locked") && error.message).toMatch(
    new RegExp(`process ${holder.child.pid} on .* \\(ingest of docs, since \\d{4}-`),
  );
  await put(store, { id: "d", chunks: ["reading and single writes go on"] });
  const waiting = store.exclusively("mine", async () => "mine", { waitMs: 10_000 });
  holder.child.kill("SIGKILL");
  expect(await waiting).toBe("mine");
  await store.close();
});

test("kill -9 at any moment leaves whole documents, all that were acknowledged", {
  timeout: 40_000,
}, async () => {
  const path = join(folder, "killed.sqlite");
  const acknowledged = new Map<string, number>();
  for (let round = 0; round < 6; round++) {
    const start = round * 100_000;
    const writer = otherProcess(
      path,
      `for (let v = ${start}; ; v++) {
         const id = "d" + (v * 7) % 23;
         if (v % 9 === 8) { say("delete " + id + " " + v); await store.deleteDocument(id); continue; }
         await put(store, { id, chunks: Array.from({ length: 1 + (v % 5) }, (_, i) => "version" + v + " all c" + i) });
         say("put " + id + " " + v);
       }`,
    );
    while (writer.lines.length < 5 && writer.child.exitCode === null) await sleep(2);
    await sleep(20 + round * 45);
    writer.child.kill("SIGKILL");
    await writer.ended;
    expect(writer.errors).toEqual([]);
    for (const line of writer.lines) {
      const [kind, id = "", version] = line.split(" ");
      if (kind === "put") acknowledged.set(id, Number(version));
      else acknowledged.delete(id);
    }
    await expectWhole(path, acknowledged);
  }
});

/** Each document is of one version, no older than the acknowledged one; the index agrees with the rows. */
async function expectWhole(path: string, acknowledged: ReadonlyMap<string, number>): Promise<void> {
  const store = await openSqliteStore({ path });
  const documents = [];
  for (const { id } of await store.listDocuments()) {
    const chunks = await store.chunksOf(id);
    const versions = new Set(chunks.map(({ chunk }) => Number(/^version(\d+)/.exec(chunk.text)?.[1])));
    const [version = Number.NaN] = versions;
    expect(versions.size).toBe(1);
    expect(chunks).toHaveLength(1 + (version % 5));
    documents.push(buildDocument({ id, chunks: chunks.map(({ chunk }) => chunk.text) }));
    expect(version).toBeGreaterThanOrEqual(acknowledged.get(id) ?? 0);
  }
  const ids = new Set(documents.map(({ record }) => record.document.id));
  for (const id of acknowledged.keys()) expect(ids).toContain(id);
  const query = { terms: words("all c3"), limit: 500 };
  const expected = oracleText(documents, query).map(({ chunkId, score }) => [chunkId, score.toFixed(9)]);
  const actual = (await store.searchText(query)).map(({ chunkId, score }) => [chunkId, score.toFixed(9)]);
  expect(actual).toEqual(expected);
  await store.close();
  const db = new (nodeSqlite().DatabaseSync)(path);
  expect(db.prepare("PRAGMA integrity_check").get()).toEqual({ integrity_check: "ok" });
  db.close();
}
