import { expect, test } from "vitest";
import { createLanes } from "./lanes.ts";

/** Calls that end when they are told to, in the order in which they began. */
function work() {
  const begun: string[] = [];
  const ends: (() => void)[] = [];
  const call = (name: string) => () =>
    new Promise<void>((end) => {
      begun.push(name);
      ends.push(end);
    });
  const turn = () => new Promise((resolve) => setImmediate(resolve));
  const end = async () => {
    ends.shift()?.();
    await turn();
  };
  return { begun, call, end, turn };
}

test("a free place goes to the document that began first", async () => {
  const { begun, call, end, turn } = work();
  const lanes = createLanes({ concurrency: 2 });
  const [a, b] = [lanes.open(), lanes.open()];
  for (const name of ["b1", "b2", "b3"]) void b.run(call(name));
  for (const name of ["a1", "a2"]) void a.run(call(name));
  await turn();
  await end();
  await end();
  await end();
  expect(begun).toEqual(["b1", "b2", "a1", "a2", "b3"]);
});

test("a front is not opened while what comes before it lasts longer than the cache", async () => {
  const { begun, call, end, turn } = work();
  let time = 0;
  const lanes = createLanes({ concurrency: 2, patienceMs: 10_000, now: () => time });
  const [a, b] = [lanes.open(), lanes.open()];
  a.expect(20);
  void a.run(call("a0"), true);
  void b.run(call("b0"), true);
  // A front that nobody waits for needs no patience.
  void b.run(call("b, uncached"));
  await turn();
  expect(begun).toEqual(["a0", "b, uncached"]);
  for (let i = 1; i < 20; i++) void a.run(call(`a${i}`));
  while (!begun.includes("b0") && begun.length < 30) {
    time += 3_000;
    await end();
  }
  // Three seconds a call, two at a time: five seconds before the last of the first document's have begun.
  const at = begun.indexOf("b0");
  expect(at).toBeGreaterThan(14);
  expect(begun.slice(0, at)).not.toContain("a19");
});

test("a document that ends early lets the next one begin", async () => {
  const { begun, call, turn } = work();
  const lanes = createLanes({ concurrency: 2, patienceMs: 1_000 });
  const [a, b] = [lanes.open(), lanes.open()];
  a.expect(1_000);
  void a.run(call("a0"), true);
  void b.run(call("b0"), true);
  await turn();
  expect(begun).toEqual(["a0"]);
  a.close();
  await turn();
  expect(begun).toEqual(["a0", "b0"]);
});
