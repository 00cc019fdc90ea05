import { setTimeout as sleep } from "node:timers/promises";
import { expect, test } from "vitest";
import { inTurn } from "./in-turn.ts";

test("work is done one after the other, whatever became of the one before", async () => {
  const next = inTurn();
  const log: string[] = [];
  const work = (name: string, ms: number) =>
    next(async () => {
      log.push(`${name} begins`);
      await sleep(ms);
      log.push(`${name} ends`);
      if (name === "a") throw new Error("a failed");
      return name;
    });
  const all = await Promise.allSettled([work("a", 20), work("b", 1), work("c", 5)]);
  expect(log).toEqual(["a begins", "a ends", "b begins", "b ends", "c begins", "c ends"]);
  expect(all.map(({ status }) => status)).toEqual(["rejected", "fulfilled", "fulfilled"]);
});

test("work that asks for more from inside does not wait for itself", async () => {
  const next = inTurn();
  async function* source() {
    yield await next(async () => 1);
    await sleep(1);
    yield await next(async () => 2);
  }
  const found = await next(async () => {
    const all: number[] = [];
    for await (const one of source()) all.push(one);
    return all;
  });
  expect(found).toEqual([1, 2]);
});
