import { expect, test } from "vitest";
import type { LocalModel } from "./folder.ts";
import { planWorkers } from "./plan.ts";
import { TINY } from "./tiny-model.fixture.ts";

/** A file of 100 MB takes a thousand in WebAssembly. */
const model: LocalModel = {
  folder: "tiny",
  card: TINY,
  manifest: { card: TINY, source: "a test", files: { [TINY.modelFile]: { sha256: "", bytes: 100e6 } } },
};

test("no more threads are begun than cores and memory allow, and never none", () => {
  const workers = (localThreads: number, localMemory: number) =>
    planWorkers(model, "web", { localThreads, localMemory }).workers;
  expect(workers(2, 10_000)).toBe(2);
  expect(workers(8, 2_500)).toBe(2);
  expect(workers(8, 10)).toBe(1);
});

test("the native runtime uses within its workers the cores that memory has no worker for", () => {
  const plan = (localThreads: number, localMemory: number) => {
    const { workers, threads } = planWorkers(model, "node", { localThreads, localMemory });
    return [workers, threads];
  };
  expect(plan(3, 10)).toEqual([1, 3]);
  expect(plan(4, 1_000)).toEqual([2, 2]);
  expect(plan(4, 10_000)).toEqual([4, 1]);
});

test("the environment says how many cores, where no option does", () => {
  const env = { KONTEKS_LOCAL_THREADS: "3" };
  expect(planWorkers(model, "web", { env, localMemory: 10_000 }).workers).toBe(3);
  expect(planWorkers(model, "web", { env, localThreads: 2, localMemory: 10_000 }).workers).toBe(2);
});
