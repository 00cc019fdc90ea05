import { setTimeout as sleep } from "node:timers/promises";
import { expect, test } from "vitest";
import { timeoutSignal, timerMs } from "./timer.ts";

test("a time limit may be a fraction, as long as one likes, or over already", async () => {
  const signals = [99.5, 1e12, 1e300, Number.POSITIVE_INFINITY].map(timeoutSignal);
  const over = timeoutSignal(-3.2);
  await sleep(20);
  expect(signals.map(({ aborted }) => aborted)).toEqual([false, false, false, false]);
  expect(over.aborted).toBe(true);
});

test("a limit is not cut short", () => {
  expect([0.2, 1_000.5, 3e9, -1].map(timerMs)).toEqual([1, 1_001, 2_147_483_647, 0]);
});
