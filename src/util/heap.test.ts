import { expect, test } from "vitest";
import { heldAfterTask } from "./heap.ts";

const held = () => process.memoryUsage.rss();

/** Fills the heap with what nobody needs afterwards. */
function fill(): number {
  const rows = Array.from({ length: 3_000_000 }, (_, i) => ({ i, text: `row ${i}` }));
  return rows.length > 0 ? held() : 0;
}

test("what a task left behind is given back, once it is much", () => {
  heldAfterTask();
  const full = fill();
  expect(full).toBeGreaterThan(250 * 1024 * 1024);
  expect(heldAfterTask()).toBeLessThan(full - 50 * 1024 * 1024);
  // Nothing has come to it since.
  expect(Math.abs(heldAfterTask() - held())).toBeLessThan(20 * 1024 * 1024);
});
