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

test("the native runtime shares one model among its threads", () => {
  expect(planWorkers(model, "node", { localThreads: 3, localMemory: 10 })).toMatchObject({
    workers: 1,
    threads: 3,
  });
});

test("the environment says how many cores, where no option does", () => {
  const env = { KONTEKS_LOCAL_THREADS: "3" };
  expect(planWorkers(model, "web", { env, localMemory: 10_000 }).workers).toBe(3);
  expect(planWorkers(model, "web", { env, localThreads: 2, localMemory: 10_000 }).workers).toBe(2);
});
