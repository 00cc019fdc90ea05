import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import type { Store } from "../../spec/index.ts";
import { buildDocument, put } from "../../testing/store/fixtures.ts";
import { openSqliteStore } from "./index.ts";
import { type LiveIndex, readLiveIndex, refreshLiveIndex } from "./live-index.ts";
import { openFile } from "./open-file.ts";
import { INDEX_FILE } from "./schema.ts";

const folder = mkdtempSync(join(tmpdir(), "konteks-live-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const draft = (i: number, version = 1) => ({ id: `d${i}`, chunks: [`all v${version} own${i}`, "all"] });

/** What an index says, without when it was read. */
function told(live: LiveIndex) {
  const segments = [...live.segments.values()].map(({ key, live: living, dead }) => ({ key, living, dead }));
  const places = [...live.places].map(([key, { segment, start }]) => [key, segment.key, start]);
  return {
    documents: [...live.documents.values()].map((document) => ({ ...document })),
    segments: segments.sort((a, b) => a.key - b.key),
    places: places.sort(([a = 0], [b = 0]) => Number(a) - Number(b)),
    facts: [live.fields, live.lengths, live.chunks, live.filled, live.lastKey, live.seen],
  };
}

async function expectRefreshed(change: (store: Store) => Promise<unknown>): Promise<void> {
  const path = join(folder, `${Math.random()}.sqlite`);
  const store = await openSqliteStore({ path });
  for (let i = 0; i < 12; i++) await put(store, draft(i));
  const db = openFile(INDEX_FILE, { path, readOnly: true });
  const live = db.reading(() => readLiveIndex(db));
  const kept = new Set(live.segments.values());
  await change(store);
  expect(db.reading(() => refreshLiveIndex(db, live))).toBeDefined();
  expect(told(live)).toEqual(db.reading(() => told(readLiveIndex(db))));
  // Segments that were known are not read again.
  for (const segment of live.segments.values()) {
    if ([...kept].some(({ key }) => key === segment.key)) expect(kept.has(segment)).toBe(true);
  }
  await store.close();
  db.close();
}

test.each<[string, (store: Store) => Promise<unknown>]>([
  ["nothing", async () => 1],
  ["a new document", (store) => put(store, draft(50))],
  ["one without chunks", (store) => put(store, { id: "empty", chunks: [] })],
  ["a replaced one", (store) => put(store, draft(3, 2))],
  ["a deleted one", (store) => store.deleteDocument("d4")],
  [
    "one deleted and written again",
    (store) => store.deleteDocument("d4").then(() => put(store, draft(4, 3))),
  ],
  [
    "one whose language changed",
    (store) => store.updateRecord(buildDocument({ ...draft(5), language: "vi" }).record),
  ],
  [
    "so many that segments were merged",
    async (store) => {
      for (let i = 0; i < 40; i++) await put(store, draft(i * 2, 2));
    },
  ],
])("a commit of another process is taken in as if all were read anew: %s", (_, change) =>
  expectRefreshed(change),
);

test("a cleared index, or more changes than are kept, has to be read anew", async () => {
  const path = join(folder, "cleared.sqlite");
  const store = await openSqliteStore({ path });
  await put(store, draft(1));
  const db = openFile(INDEX_FILE, { path, readOnly: true });
  const live = db.reading(() => readLiveIndex(db));
  await store.clear();
  expect(db.reading(() => refreshLiveIndex(db, live))).toBeUndefined();
  await put(store, draft(2));
  const later = db.reading(() => readLiveIndex(db));
  await store.deleteDocument("d2");
  const writer = openFile(INDEX_FILE, { path });
  writer.writing(() => writer.run("DELETE FROM changes"));
  expect(db.reading(() => refreshLiveIndex(db, later))).toBeUndefined();
  for (const one of [db, writer]) one.close();
  await store.close();
});
