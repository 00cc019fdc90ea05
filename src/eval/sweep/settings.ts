import type { ChunkOptions, IndexOptions, SearchOptions } from "../../spec/index.ts";
import { KonteksError } from "../../spec/index.ts";

const indexKeys = [
  "chunk",
  "context",
  "contextModel",
  "contextPrompt",
  "contextGlossary",
  "contextDomain",
  "embedding",
] as const satisfies readonly (keyof IndexOptions)[];
type IndexKey = (typeof indexKeys)[number];
type SearchKey = Exclude<keyof SearchOptions, "k" | "filter" | "vector" | "signal">;

/**
 * What is tried: every combination of the values given, of settings of the index and of the search. What is left out
 * stays at the default of `base`.
 */
export type SweepGrid = {
  readonly [key in IndexKey]?: readonly NonNullable<IndexOptions[key]>[];
} & { readonly [key in SearchKey]?: readonly NonNullable<SearchOptions[key]>[] };

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
  const searchKeys = Object.keys(grid).filter((key) => !isIndexKey(key));
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

function isIndexKey(key: string): boolean {
  return (indexKeys as readonly string[]).includes(key);
}

type Values = Readonly<Record<string, unknown>>;

function combinations(grid: SweepGrid, keys: readonly string[]): readonly Values[] {
  return keys.reduce<readonly Values[]>(
    (made, key) => {
      const values = valuesOf(grid, key);
      if (values === undefined) return made;
      return made.flatMap((before) => values.map((value) => ({ ...before, [key]: value })));
    },
    [{}],
  );
}

function valuesOf(grid: SweepGrid, key: string): readonly unknown[] | undefined {
  return (grid as Readonly<Record<string, readonly unknown[] | undefined>>)[key];
}

function nameOf(values: Values, grid: SweepGrid): string {
  const varied = Object.entries(values).filter(([key]) => (valuesOf(grid, key)?.length ?? 0) > 1);
  return varied.map(([key, value]) => nameOfValue(key, value)).join(", ") || "the one setting";
}

function nameOfValue(key: string, value: unknown): string {
  if (value === false) return `no ${key}`;
  if (key === "chunk") return nameOfChunk(value as ChunkOptions);
  if (key !== "contextGlossary") return `${key} ${describe(value)}`;
  const terms = Object.keys(value ?? {}).length;
  return terms === 0 ? "no glossary" : `glossary of ${terms} terms`;
}

/** "chunks of 400/80 tokens": size and overlap. */
function nameOfChunk({ unit = "tokens", size, overlap, structure = true }: ChunkOptions): string {
  const sizes = [size ?? "default", overlap].filter((each) => each !== undefined).join("/");
  return `chunks of ${sizes} ${unit}${structure ? "" : ", fixed"}`;
}

function describe(value: unknown): string {
  if (typeof value !== "object" || value === null) return String(value);
  if ("modelId" in value) return String(value.modelId);
  if ("id" in value) return String(value.id);
  const parts = Object.entries(value).map(([key, part]) => `${key} ${describe(part)}`);
  return parts.length === 0 ? "default" : parts.join(" ");
}
