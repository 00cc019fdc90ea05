import { availableParallelism } from "node:os";
import { setTimeout as sleep } from "node:timers/promises";
import { expect, test } from "vitest";
import { gatherWrites } from "./gather.ts";
import { eachDocument } from "./in-flight.ts";

const document = (id: string, size = 0) => ({
  id,
  size,
  open: () => Promise.reject(new Error("not opened")),
});

async function mostInWork(sizes: readonly number[], concurrency: number): Promise<number> {
  let inWork = 0;
  let most = 0;
  const documents = sizes.map((size, i) => document(String(i), size));
  await eachDocument(documents, concurrency, async () => {
    most = Math.max(most, ++inWork);
    await sleep(5);
    inWork--;
  });
  return most;
}

test("so many documents at a time, fewer where they are large", async () => {
  expect(await mostInWork([1, 1, 1, 1, 1], 3)).toBe(3);
  const mib = 1024 * 1024;
  const large = Math.max(1, Math.floor(availableParallelism() / 2));
  expect(await mostInWork([mib, mib, mib, mib, mib, mib], 6)).toBe(Math.min(6, large));
  expect(await mostInWork([mib, 1, 1, 1], 4)).toBe(4);
  expect(await mostInWork([100 * mib, 1, 1], 3)).toBe(2);
});

test("small documents go ahead of large ones that wait, packed ones count several times", async () => {
  const begun: string[] = [];
  const documents = [
    ["a.pdf", 2e6],
    ["b.docx", 5e5],
    ["c.md", 9e5],
    ["d.pdf", 3e6],
    ["e.md", 1],
  ] as const;
  await eachDocument(
    documents.map(([id, size]) => document(id, size)),
    availableParallelism(),
    async ({ id }) => {
      begun.push(id);
      await sleep(id === "a.pdf" ? 40 : 5);
    },
  );
  expect([...begun].sort()).toEqual(["a.pdf", "b.docx", "c.md", "d.pdf", "e.md"]);
  if (availableParallelism() === 2) expect(begun).toEqual(["a.pdf", "c.md", "e.md", "b.docx", "d.pdf"]);
});

test("an error stops those that wait, and is thrown when those in work have ended", async () => {
  const ended: string[] = [];
  const run = eachDocument(
    ["a", "b", "c", "d"].map((id) => document(id)),
    2,
    async ({ id }) => {
      if (id === "a") throw new Error("a failed");
      await sleep(10);
      ended.push(id);
    },
  );
  await expect(run).rejects.toThrow("a failed");
  expect(ended).toEqual(["b"]);
});

test("documents that are ready together are written in one turn, each with its own answer", async () => {
  const turns: string[][] = [];
  const replaceDocument = gatherWrites({
    replaceDocument: async ({ document: { id } }) => {
      if (turns.length === 0 || turns.at(-1)?.includes("end")) turns.push([]);
      turns.at(-1)?.push(id);
      queueMicrotask(() => turns.at(-1)?.push("end"));
      if (id === "bad") throw new Error("not written");
    },
  });
  const write = (id: string) => replaceDocument({ document: { id } } as never, []);
  const [a, bad, b] = await Promise.allSettled([write("a"), write("bad"), write("b")]);
  expect([a?.status, bad?.status, b?.status]).toEqual(["fulfilled", "rejected", "fulfilled"]);
  expect(turns.map((turn) => turn.filter((id) => id !== "end"))).toEqual([["a", "bad", "b"]]);
});
