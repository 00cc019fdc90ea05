import { expect, test } from "vitest";
import { loadingLines } from "./loading-lines.ts";

test("loading is told where it was much of the wait, once for all threads", () => {
  const loads = [
    { model: "e5", ms: 1800 },
    { model: "e5", ms: 2140 },
    { model: "tiny", ms: 90 },
  ];
  expect(loadingLines(loads, 3000)).toEqual([expect.stringMatching(/^Loading the model e5 took 2\.1 s: /)]);
  expect(loadingLines(loads, 60_000)).toEqual([]);
});
