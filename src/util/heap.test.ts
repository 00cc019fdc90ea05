import { getHeapStatistics } from "node:v8";
import { expect, test } from "vitest";
import { heapAfterTask } from "./heap.ts";

const held = () => getHeapStatistics().total_heap_size;

/** Fills the heap with what nobody needs afterwards. */
function fill(): number {
  const rows = Array.from({ length: 2_000_000 }, (_, i) => ({ i, text: `row ${i}` }));
  return rows.length > 0 ? held() : 0;
}

test("what a task left behind is given back, once it is much", () => {
  heapAfterTask();
  const full = fill();
  expect(full).toBeGreaterThan(150 * 1024 * 1024);
  expect(heapAfterTask()).toBeLessThan(full - 50 * 1024 * 1024);
  expect(heapAfterTask()).toBe(held());
});
