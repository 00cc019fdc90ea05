import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setImmediate, setTimeout as sleep } from "node:timers/promises";
import { afterAll, expect, test } from "vitest";
import type { Store } from "../../spec/index.ts";
import { buildDocument, put, words } from "../../testing/store/fixtures.ts";
import { openSqliteStore } from "./index.ts";

const folder = mkdtempSync(join(tmpdir(), "konteks-rollback-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** What searches answer until `work` has ended, several in each turn of the event loop. */
async function answersDuring(store: Store, work: Promise<unknown>): Promise<Set<string>> {
  let working = true;
  const ended = work.finally(() => {
    working = false;
  });
  const seen = new Set<string>();
  const look = async () => {
    for (let i = 1; working; i++) {
      const found = await store.searchText({ terms: words("word"), limit: 5 });
      seen.add(found.map(({ chunkId }) => chunkId).join(" "));
      if (i % 20 === 0) await setImmediate();
    }
  };
  await Promise.all([look(), look(), look(), ended]);
  return seen;
}

test.each([2, 300])("a refused write beside others, of %i chunks, never shows", async (chunks) => {
  const store = await openSqliteStore({ path: join(folder, `${chunks}.sqlite`) });
  await put(store, { id: "d1", chunks: ["old word"] });
  // Until merging has ended, so that the next commit is made while searches wait.
  await sleep(50);
  const good = buildDocument({ id: "d1", chunks: ["new word"] });
  const bad = buildDocument({ id: "d2", chunks: Array<string>(chunks).fill("word") });
  const last = {
    ...bad.chunks.at(-1),
    vectors: [Float32Array.of(Number.NaN)],
  } as (typeof bad.chunks)[number];
  const writes = Promise.allSettled([
    store.replaceDocument(good.record, good.chunks),
    store.replaceDocument(bad.record, [...bad.chunks.slice(0, -1), last]),
  ]);
  expect([...(await answersDuring(store, writes))]).toEqual(["d1#0"]);
  expect((await writes).map(({ status }) => status)).toEqual(["fulfilled", "rejected"]);
  await store.close();
});
