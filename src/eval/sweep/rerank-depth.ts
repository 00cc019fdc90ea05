import { isDeepStrictEqual } from "node:util";
import type { SearchOptions } from "../../spec/index.ts";
import type { BootstrapOptions } from "../bootstrap.ts";
import { type Difference, differences } from "../summary.ts";
import type { SweepRow } from "./rows.ts";

/** Candidates that are reranked; 0: none. Without a depth it is the engine's, which is above those one would name to save time. */
export function rerankDepth({ rerank = false }: SearchOptions): number {
  if (rerank === false) return 0;
  return typeof rerank === "object" && "depth" in rerank ? (rerank.depth ?? 50) : 50;
}

/** A depth of reranking, with all else as in the setting that is taken. */
export interface DepthTradeOff {
  readonly depth: number;
  readonly row: SweepRow;
  /** Against the least depth; undefined for it. */
  readonly gain: Difference | undefined;
}

/** What reranking deeper brings, to be held against its time and cost; empty where depths were not varied. */
export function rerankTradeOff(
  settings: readonly SweepRow[],
  taken: SweepRow | undefined,
  decisive: string,
  options?: BootstrapOptions,
): readonly DepthTradeOff[] {
  const alike = settings
    .filter((row) => taken !== undefined && isAlike(row, taken))
    .sort((a, b) => rerankDepth(a.search) - rerankDepth(b.search));
  const [least] = alike;
  if (least === undefined || new Set(alike.map(({ search }) => rerankDepth(search))).size < 2) return [];
  return alike.map((row) => ({
    depth: rerankDepth(row.search),
    row,
    gain: row === least ? undefined : differences(least.rows, row.rows, [decisive], options)[decisive],
  }));
}

function isAlike(row: SweepRow, other: SweepRow): boolean {
  const { rerank: _, ...search } = row.search;
  const { rerank: __, ...rest } = other.search;
  return isDeepStrictEqual(search, rest) && isDeepStrictEqual(row.index, other.index);
}
