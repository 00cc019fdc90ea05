import type {
  ChunkOptions,
  ContextSetting,
  IndexOptions,
  SearchMode,
  SearchOptions,
} from "../../spec/index.ts";
import { KonteksError } from "../../spec/index.ts";

/** What is tried: every combination of the values given. What is left out stays at the default of `base`. */
export interface SweepGrid {
  readonly chunk?: readonly ChunkOptions[];
  readonly context?: readonly ContextSetting[];
  readonly embedding?: readonly NonNullable<IndexOptions["embedding"]>[];
  readonly mode?: readonly SearchMode[];
  readonly candidates?: readonly number[];
  readonly weights?: readonly NonNullable<SearchOptions["weights"]>[];
  readonly rrfK?: readonly number[];
}

export interface SweepSetting {
  /** What differs within the sweep, for a person: "chunk 400 tokens, mode text". */
  readonly name: string;
  readonly index: IndexOptions;
  readonly search: SearchOptions;
}

/** Settings that are searched on the same index. */
export interface SweepGroup {
  readonly index: IndexOptions;
  readonly settings: readonly SweepSetting[];
}

const indexKeys = ["chunk", "context", "embedding"] as const;
const searchKeys = ["mode", "candidates", "weights", "rrfK"] as const;
type Key = (typeof indexKeys)[number] | (typeof searchKeys)[number];

/** All combinations, put together by index so that each is made once. */
export function sweepGroups(
  grid: SweepGrid,
  base: { readonly index?: IndexOptions; readonly search?: SearchOptions } = {},
): readonly SweepGroup[] {
  const empty = Object.entries(grid).find(([, values]) => values?.length === 0);
  if (empty !== undefined) {
    throw new KonteksError(
      "wrong-option",
      `The sweep has no value for ${empty[0]}. Give one, or leave it out.`,
    );
  }
  return combinations(grid, indexKeys).map((indexed) => {
    const index: IndexOptions = { ...base.index, ...indexed };
    const settings = combinations(grid, searchKeys).map((searched) => ({
      name: nameOf({ ...indexed, ...searched }, grid),
      index,
      search: { ...base.search, ...searched },
    }));
    return { index, settings };
  });
}

type Values<K extends Key = Key> = { readonly [key in K]?: NonNullable<SweepGrid[key]>[number] };

function combinations<K extends Key>(grid: SweepGrid, keys: readonly K[]): readonly Values<K>[] {
  return keys.reduce<readonly Values<K>[]>(
    (made, key) => {
      const values: readonly unknown[] | undefined = grid[key];
      if (values === undefined) return made;
      // The value of a key comes from the grid's list for that key, which a computed key cannot show.
      return made.flatMap((before) => values.map((value) => ({ ...before, [key]: value }) as Values<K>));
    },
    [{}],
  );
}

function nameOf(values: Values, grid: SweepGrid): string {
  const varied = Object.entries(values).filter(([key]) => (grid[key as Key]?.length ?? 0) > 1);
  return varied.map(([key, value]) => `${key} ${describe(value)}`).join(", ") || "the one setting";
}

function describe(value: unknown): string {
  if (typeof value !== "object" || value === null) return String(value);
  if ("modelId" in value) return String(value.modelId);
  if ("id" in value) return String(value.id);
  return Object.entries(value)
    .map(([key, part]) => (key === "unit" ? String(part) : `${key} ${part}`))
    .join(" ");
}
