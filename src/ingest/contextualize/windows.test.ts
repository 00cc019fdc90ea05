import fc from "fast-check";
import { expect, test } from "vitest";
import { createWarmth } from "./warmth.ts";
import { windowsOf } from "./windows.ts";

test("every chunk is in exactly one window, which holds it whole and stays inside the document", () => {
  const chunk = fc.tuple(fc.nat(5_000), fc.integer({ min: 1, max: 900 }));
  fc.assert(
    fc.property(
      fc.array(chunk, { minLength: 1, maxLength: 40 }),
      fc.integer({ min: 100, max: 3_000 }),
      (list, size) => {
        const chunks = list.map(([start, length]) => ({ start, end: start + length }));
        const end = Math.max(...chunks.map((one) => one.end));
        const windows = windowsOf(end, chunks, size);
        const members = windows.flatMap((window) => window.members);
        expect(members.toSorted((a, b) => a - b)).toEqual(chunks.map((_, index) => index));
        for (const window of windows) {
          expect(window.start).toBeGreaterThanOrEqual(0);
          expect(window.end).toBeLessThanOrEqual(end);
          for (const index of window.members) {
            expect(window.start).toBeLessThanOrEqual(chunks[index]?.start ?? -1);
            expect(window.end).toBeGreaterThanOrEqual(chunks[index]?.end ?? Number.POSITIVE_INFINITY);
          }
        }
      },
    ),
  );
});

test("neighbouring chunks share a window", () => {
  const chunks = Array.from({ length: 100 }, (_, i) => ({ start: i * 100, end: i * 100 + 100 }));
  expect(windowsOf(10_000, chunks, 2_000).length).toBeLessThanOrEqual(10);
});

test("a cold front is written by one call; the others wait for it, and again when its lifetime has passed", async () => {
  let now = 0;
  const warmth = createWarmth(1_000, () => now);
  let running = 0;
  let most = 0;
  const call = async () => {
    running += 1;
    most = Math.max(most, running);
    await new Promise((done) => setTimeout(done, 5));
    running -= 1;
  };
  await warmth.run(call);
  await Promise.all([warmth.run(call), warmth.run(call), warmth.run(call)]);
  expect(most).toBe(3);
  now = 5_000;
  const order: number[] = [];
  const timed = (n: number) => async () => {
    order.push(n);
    await new Promise((done) => setTimeout(done, 20));
    order.push(-n);
  };
  await Promise.all([warmth.run(timed(1)), warmth.run(timed(2)), warmth.run(timed(3))]);
  expect(order.slice(0, 2)).toEqual([1, -1]);
});

test("a call that fails does not count as having written; the next one goes first", async () => {
  const warmth = createWarmth(1_000);
  await expect(warmth.run(() => Promise.reject(new Error("no")))).rejects.toThrow("no");
  const order: string[] = [];
  const slow = async () => {
    order.push("begin");
    await new Promise((done) => setTimeout(done, 10));
    order.push("end");
  };
  await Promise.all([warmth.run(slow), warmth.run(slow)]);
  expect(order).toEqual(["begin", "end", "begin", "end"]);
});
