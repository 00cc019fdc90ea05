import {
  closeSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
  writeSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type ErrorCode, isKonteksError } from "../../spec/index.ts";
import { analyzeBuilt, buildDocument, put, words } from "../../testing/store/fixtures.ts";
import { connect } from "./connection.ts";
import { openSqliteStore, verifySqliteStore } from "./index.ts";
import { indexMemory } from "./index-memory.ts";
import { nodeSqlite } from "./node-sqlite.ts";
import { openFile } from "./open-file.ts";
import { INDEX_FILE } from "./schema.ts";
import { reads } from "./store-reads.ts";
import { writes } from "./store-writes.ts";
import { writeQueue } from "./write-queue.ts";

const folder = mkdtempSync(join(tmpdir(), "konteks-damage-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const whole = join(folder, "whole.sqlite");
beforeAll(async () => {
  const store = await openSqliteStore({ path: whole });
  for (let i = 0; i < 60; i++) {
    const text = `word ${Array.from({ length: 300 }, (_, n) => `term${i}x${n}`).join(" ")}`;
    await put(store, { id: `d${i}`, chunks: [text, "word"] });
  }
  await store.close();
});

let copies = 0;
function copyOfWhole(): string {
  const path = join(folder, `copy-${copies++}.sqlite`);
  copyFileSync(whole, path);
  return path;
}

/** The error of opening, or of the first use that meets it. */
async function failure(
  path: string,
  options: { mustExist?: boolean; readOnly?: boolean } = {},
): Promise<unknown> {
  try {
    const store = await openSqliteStore({ path, ...options });
    try {
      await store.listDocuments();
      for (let i = 0; i < 60; i++) await store.chunksOf(`d${i}`);
      return { found: (await store.searchText({ terms: words("word"), limit: 200 })).length };
    } finally {
      await store.close();
    }
  } catch (error) {
    return error;
  }
}

async function expectError(path: string, code: ErrorCode, options = {}): Promise<void> {
  const error = await failure(path, options);
  expect(error).toMatchObject({ code });
  // One sentence on what is wrong and where, one on what to do.
  expect((error as Error).message).toMatch(/^.*\. [A-Z].*\.$/s);
  expect((error as Error).message).toContain(path);
}

describe("what is not an index is named", () => {
  test("nothing there", async () => {
    const path = join(folder, "absent", "index.sqlite");
    await expectError(path, "not-found", { mustExist: true });
    await expectError(path, "not-found", { readOnly: true });
    expect(existsSync(path)).toBe(false);
  });

  test("a text file, a folder, another program's database", async () => {
    const text = join(folder, "text.sqlite");
    writeFileSync(text, "just some text\n".repeat(2_000));
    await expectError(text, "not-an-index");
    expect(readFileSync(text, "utf8")).toBe("just some text\n".repeat(2_000));
    const directory = join(folder, "directory.sqlite");
    mkdirSync(directory);
    await expectError(directory, "not-an-index");
    const foreign = join(folder, "foreign.sqlite");
    const db = new (nodeSqlite().DatabaseSync)(foreign);
    db.exec("CREATE TABLE t (x)");
    db.close();
    await expectError(foreign, "not-an-index");
  });

  test("a file of a newer version", async () => {
    const path = copyOfWhole();
    const db = new (nodeSqlite().DatabaseSync)(path);
    db.exec("PRAGMA user_version = 99");
    db.close();
    await expectError(path, "index-newer");
  });
});

describe("damage is named, never taken for an empty index", () => {
  test("an empty file", async () => {
    const path = join(folder, "empty.sqlite");
    writeFileSync(path, "");
    await expectError(path, "index-damaged");
  });

  test.each([0.02, 0.3, 0.5, 0.9, 0.99])("a file cut to %d of its length", async (share) => {
    const path = copyOfWhole();
    truncateSync(path, Math.floor(statSync(path).size * share));
    await expectError(path, "index-damaged");
  });

  test("an overwritten beginning", async () => {
    const path = copyOfWhole();
    overwrite(path, 0, 4_096);
    await expectError(path, "not-an-index");
  });

  test.each([0.1, 0.4, 0.6])("garbage from %d on", async (share) => {
    const path = copyOfWhole();
    const from = Math.floor((statSync(path).size * share) / 4_096) * 4_096;
    overwrite(path, from, statSync(path).size - from);
    await expectError(path, "index-damaged");
  });

  test("missing tables", async () => {
    const path = copyOfWhole();
    const db = new (nodeSqlite().DatabaseSync)(path);
    db.exec("DROP TABLE segments");
    db.close();
    await expectError(path, "index-damaged");
  });

  test.each(["blocks", "segments", "texts"])("nothing in table %s", async (table) => {
    const path = copyOfWhole();
    const db = new (nodeSqlite().DatabaseSync)(path);
    db.exec(`DELETE FROM ${table}`);
    db.close();
    await expectError(path, "index-damaged");
  });
});

test("writing to a store that was opened read-only is refused", async () => {
  const store = await openSqliteStore({ path: whole, readOnly: true });
  const { record, chunks } = buildDocument({ id: "n", chunks: ["x"] });
  const writes = [
    () => store.replaceDocument(record, chunks),
    () => store.deleteDocument("d1"),
    () => store.clear(),
    () => store.writeSetting("a", "b"),
    () => store.exclusively("x", async () => 1),
  ];
  for (const write of writes) await expect(write()).rejects.toMatchObject({ code: "read-only" });
  expect(await store.searchText({ terms: words("word"), limit: 200 })).toHaveLength(120);
  await store.close();
});

test("a full disk is named, and what was there stays", async () => {
  const path = copyOfWhole();
  const db = openFile(INDEX_FILE, { path });
  db.exec("PRAGMA max_page_count = 1");
  const fill = () =>
    db.writing(() => db.run("INSERT INTO blocks VALUES (?, ?)", -1, new Uint8Array(4_000_000)));
  expect(fill).toThrow(expect.objectContaining({ code: "no-space" }));
  expect(db.reading(() => db.get("SELECT count(*) AS n FROM documents"))).toEqual({ n: 60 });
  db.close();
});

test("writes to a full disk are refused one by one, searches go on, and so do writes once there is room", async () => {
  const path = copyOfWhole();
  const db = openFile(INDEX_FILE, { path });
  const memory = indexMemory(db);
  const store = { ...reads(db, memory, {}), ...writes(db, memory, writeQueue(db, memory)) };
  const text = (i: number) => Array.from({ length: 400 }, (_, n) => `word full${i}x${n * 7}`).join(" ");
  const write = (i: number) => {
    const { record, chunks } = buildDocument({
      id: `full${i}`,
      chunks: [{ text: text(i), vectors: [[1, i]] }],
    });
    return store.replaceDocument(record, chunks);
  };
  const { page_count } = db.get<{ page_count: number }>("PRAGMA page_count") ?? { page_count: 0 };
  db.exec(`PRAGMA max_page_count = ${page_count + 40}`);
  const tried = await Promise.allSettled(Array.from({ length: 30 }, (_, i) => write(i)));
  const kept = new Set(tried.flatMap(({ status }, i) => (status === "fulfilled" ? [`full${i}`] : [])));
  for (let i = 0; i < 12; i++) await write(100 + i).then(() => kept.add(`full${100 + i}`), refusedForSpace);
  expect(tried.every((one) => one.status === "fulfilled" || refusedForSpace(one.reason))).toBe(true);
  expect(kept.size).toBeLessThan(42);
  const present = (await store.listDocuments()).map(({ id }) => id).filter((id) => id.startsWith("full"));
  expect(new Set(present)).toEqual(kept);
  const found = await store.searchText({ terms: words("word"), limit: 500 });
  expect(found).toHaveLength(120 + kept.size);
  expect(await store.searchVector({ vector: Float32Array.of(1, 1), limit: 500 })).toHaveLength(kept.size);
  db.exec("PRAGMA max_page_count = 1000000");
  for (let i = 0; i < 30; i++) await write(i);
  expect(await store.searchText({ terms: words("full29x14"), limit: 5 })).toHaveLength(1);
  db.close();
  expect((await verifySqliteStore({ path, analyze: analyzeBuilt })).problems).toEqual([]);
});

test("a large document that a full disk cannot hold is refused, and its room is free again", async () => {
  const path = copyOfWhole();
  const db = openFile(INDEX_FILE, { path });
  const memory = indexMemory(db);
  const queue = writeQueue(db, memory);
  const store = { ...reads(db, memory, {}), ...writes(db, memory, queue) };
  const text = (i: number) => Array.from({ length: 80 }, (_, n) => `word large${i}x${n * 7}`).join(" ");
  const large = (chunks: number) => {
    const built = buildDocument({ id: "large", chunks: Array.from({ length: chunks }, (_, i) => text(i)) });
    return store.replaceDocument(built.record, built.chunks);
  };
  const { page_count } = db.get<{ page_count: number }>("PRAGMA page_count") ?? { page_count: 0 };
  db.exec(`PRAGMA max_page_count = ${page_count + 200}`);
  await large(2_000).then(() => expect.unreachable(), refusedForSpace);
  await large(150);
  await queue.finish();
  expect(await store.searchText({ terms: words("word"), limit: 500 })).toHaveLength(270);
  expect(db.get("SELECT count(*) AS n FROM chunks")).toEqual({ n: 270 });
  db.close();
  expect((await verifySqliteStore({ path, analyze: analyzeBuilt })).problems).toEqual([]);
});

function refusedForSpace(error: unknown): true {
  expect(error).toMatchObject({ code: "no-space" });
  return true;
}

test("a writer in the middle of a commit is waited for, then named", async () => {
  const path = copyOfWhole();
  const first = openFile(INDEX_FILE, { path });
  const second = connect(new (nodeSqlite().DatabaseSync)(path, { timeout: 0 }), path, false);
  first.writing(() => {
    expect(() => second.writing(() => 1)).toThrow(expect.objectContaining({ code: "index-locked" }));
    expect(second.reading(() => second.get("SELECT count(*) AS n FROM documents"))).toEqual({ n: 60 });
  });
  expect(second.writing(() => 1)).toBe(1);
  first.close();
  second.close();
});

test("after the last document is deleted the files hold no trace of any", async () => {
  for (const how of ["delete", "clear"]) {
    const home = join(folder, how);
    const path = join(home, "index.sqlite");
    const store = await openSqliteStore({ path });
    for (let i = 0; i < 25; i++) {
      await put(store, { id: `secret-id-${i}`, chunks: [`secretword${i} secretword`, "secretword more"] });
    }
    expect(bytesOf(home)).toContain("secretword");
    if (how === "clear") await store.clear();
    else for (let i = 0; i < 25; i++) await store.deleteDocument(`secret-id-${i}`);
    expect(bytesOf(home)).not.toContain("secret");
    await store.close();
    expect(bytesOf(home)).not.toContain("secret");
  }
});

test("making an index leaves one whole file", async () => {
  const home = join(folder, "made", "below");
  const stores = await Promise.all([1, 2, 3].map(() => openSqliteStore({ path: join(home, "i.sqlite") })));
  await Promise.all(stores.map((store) => store.close()));
  expect(readdirSync(home)).toEqual(["i.sqlite"]);
  expect(isKonteksError(await failure(join(home, "i.sqlite")))).toBe(false);
});

function bytesOf(home: string): string {
  return readdirSync(home)
    .map((name) => readFileSync(join(home, name), "latin1"))
    .join("\n");
}

function overwrite(path: string, from: number, length: number): void {
  const file = openSync(path, "r+");
  writeSync(file, Buffer.alloc(length, "garbage!"), 0, length, from);
  closeSync(file);
}
