import { expect, test } from "vitest";
import type { IndexOptions, SearchOptions } from "../../spec/index.ts";
import type { SweepRow } from "../sweep/rows.ts";
import type { Sweep } from "../sweep/sweep.ts";
import { sweepConfig } from "./sweep-config.ts";

type Setting = { readonly index?: IndexOptions; readonly search?: SearchOptions };

/** A sweep of which the first setting is the one to take. */
function configOf(...settings: readonly Setting[]): string | undefined {
  const rows = settings.map(({ index = {}, search = {} }) => ({ index, search }) as SweepRow);
  return sweepConfig({ settings: rows, taken: rows[0] } as unknown as Sweep);
}

test("what was varied is written as in the file, and nothing else", () => {
  const base = { mode: "hybrid", fusion: "scores" } as const;
  expect(
    configOf(
      { index: { context: "none" }, search: { ...base, weights: { vector: 0.5, text: 1 } } },
      { index: { context: "none" }, search: { ...base, weights: { vector: 0.3, text: 1 } } },
    ),
  ).toBe("search: { weights: { vector: 0.5 } }");
  expect(
    configOf(
      {
        index: { chunk: { size: 400, overlap: 0 } },
        search: { ...base, rerank: { model: "x:y", depth: 20 } },
      },
      { index: { chunk: { size: 800, overlap: 0 } }, search: { ...base, rerank: false } },
    ),
  ).toBe('chunk: { size: 400 }, search: { rerank: "x:y", rerankDepth: 20 }');
});

test("there is nothing to write where nothing differed or the file has no place for it", () => {
  expect(configOf({ search: { k: 5 } })).toBeUndefined();
  expect(configOf({ search: { bm25: { k1: 1 } } }, { search: { bm25: { k1: 2 } } })).toBeUndefined();
});
