import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setImmediate } from "node:timers/promises";
import { afterAll, expect, test } from "vitest";
import { analyzeBuilt, buildDocument, put, words } from "../../testing/store/fixtures.ts";
import { compactSqliteStore, openSqliteStore, verifySqliteStore } from "./index.ts";

const folder = mkdtempSync(join(tmpdir(), "konteks-event-loop-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** A document of 40 chunks of 60 words, many of them rare, so that merges have work to do. */
const draft = (i: number) => ({
  id: `d${i}`,
  chunks: Array.from({ length: 40 }, (_, chunk) => ({
    text: Array.from({ length: 60 }, (_, k) => `w${(i * 7919 + chunk * 31 + k * k * 13) % 20_011}`).join(" "),
    vectors: [Array.from({ length: 64 }, (_, k) => ((i + chunk * k) % 17) - 8)],
  })),
});

test("queries are answered within 50 ms while documents are written and segments merged", {
  timeout: 120_000,
}, async () => {
  const store = await openSqliteStore({ path: join(folder, "index.sqlite") });
  let writing = true;
  const writes = (async () => {
    for (let i = 0; i < 120; i++) await put(store, draft(i));
    writing = false;
  })();
  // Processor time of this thread: what others do on the machine does not count.
  const times: number[] = [];
  while (writing) {
    const start = process.threadCpuUsage();
    await setImmediate();
    await store.searchText({ terms: words("w13 w26 w39 w7919"), limit: 20 });
    await store.searchVector({ vector: new Float32Array(64).fill(1), limit: 20 });
    const { user, system } = process.threadCpuUsage(start);
    times.push((user + system) / 1_000);
  }
  await writes;
  times.sort((a, b) => a - b);
  expect(times.length).toBeGreaterThan(50);
  expect(times[Math.floor(times.length * 0.95)]).toBeLessThan(50);
  expect(times.at(-1)).toBeLessThan(250);
  await store.close();
});

/** Processor time of the longest turn of the event loop while `work` goes on, in milliseconds. */
async function longestTurn(work: Promise<unknown>): Promise<number> {
  let working = true;
  const ended = work.finally(() => {
    working = false;
  });
  let longest = 0;
  while (working) {
    const start = process.threadCpuUsage();
    await setImmediate();
    const { user, system } = process.threadCpuUsage(start);
    longest = Math.max(longest, (user + system) / 1_000);
  }
  await ended;
  return longest;
}

test("no turn is long while a large document is written, replaced and deleted, and an index compacted and verified", {
  timeout: 120_000,
}, async () => {
  const path = join(folder, "large.sqlite");
  const store = await openSqliteStore({ path });
  const parts = Array.from({ length: 80 }, (_, i) => draft(i).chunks);
  const built = buildDocument({ id: "large", chunks: parts.flat() });
  const write = () => store.replaceDocument(built.record, built.chunks);
  // In one commit the first takes well over half a second.
  expect(await longestTurn(write())).toBeLessThan(120);
  expect(await longestTurn(write())).toBeLessThan(120);
  expect(await longestTurn(compactSqliteStore({ path, analyze: analyzeBuilt }))).toBeLessThan(120);
  expect(await longestTurn(verifySqliteStore({ path, analyze: analyzeBuilt }))).toBeLessThan(120);
  expect(await longestTurn(store.deleteDocument("large"))).toBeLessThan(120);
  await store.close();
});
