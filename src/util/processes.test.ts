import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { availableParallelism, tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type ProcessPool, processPool } from "./processes.ts";

type Task = number | { readonly f: () => void };

const guards = {
  limitMs: 5000,
  ended: (reason: string) => new Error(`ended: ${reason}`),
  aborted: () => new Error("aborted"),
};

let folder: string;
let base: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "konteks-processes-"));
  base = pathToFileURL(join(folder, "base.js")).href;
  // Answers after so many milliseconds; dies of 13, refuses 7.
  const module = `
    process.on("message", (ms) => {
      if (ms === 13) process.exit(1);
      if (ms === 7) return process.send({ error: { seven: true } });
      setTimeout(() => process.send({ result: process.pid, held: 0 }), ms);
    });`;
  await writeFile(join(folder, "worker.js"), module);
});

afterAll(() => rm(folder, { recursive: true, force: true }));

const poolOf = (size?: number): ProcessPool<Task, number> => processPool("./worker", base, size);

test("a process is used again, and no more are started than there is room for", async () => {
  const pool = poolOf(1);
  const ids = await Promise.all([1, 2, 3].map((task) => pool.run({ task, ...guards })));
  expect(new Set(ids).size).toBe(1);
});

test("a task that dies, is refused or cannot be sent fails alone", async () => {
  const pool = poolOf(1);
  const run = (task: Task) => pool.run({ task, ...guards });
  await expect(run(13)).rejects.toThrow("ended: its reader stopped (exit 1)");
  await expect(run(7)).rejects.toEqual({ seven: true });
  await expect(run({ f: () => {} })).rejects.toThrow("could not be cloned");
  expect(await run(1)).toBeGreaterThan(0);
});

test("a task that is stopped or takes too long ends with its process", async () => {
  const pool = poolOf(1);
  const stopped = pool.run({ task: 60_000, ...guards, signal: AbortSignal.timeout(50) });
  await expect(stopped).rejects.toThrow("aborted");
  await expect(pool.run({ task: 60_000, ...guards, limitMs: 50 })).rejects.toThrow("longer than 0.05 s");
});

test.runIf(availableParallelism() > 1)("a process that is held up does not hold up the others", async () => {
  const pool = poolOf(1);
  const slow = pool.run({ task: 4000, ...guards });
  const quick = await Promise.race([pool.run({ task: 1, ...guards }).then(() => "quick"), slow]);
  expect(quick).toBe("quick");
  await slow;
});

test("without its file a pool says so", () => {
  expect(poolOf().available).toBe(true);
  expect(processPool("./nothing", base).available).toBe(false);
});
