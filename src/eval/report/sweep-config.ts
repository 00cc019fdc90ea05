import type { Sweep } from "../sweep/sweep.ts";

type Values = Readonly<Record<string, unknown>>;

/**
 * What of the setting to take was varied, as it is written in `konteks.config.ts`: `search: { weights: { vector: 0.5 } }`.
 * Undefined where nothing differed, or where it is not a plain value (a model object).
 */
export function sweepConfig({ taken, settings }: Sweep): string | undefined {
  if (taken === undefined) return undefined;
  const index = varied(
    taken.index,
    settings.map((setting) => setting.index),
  );
  const search = varied(
    taken.search,
    settings.map((setting) => setting.search),
  );
  const written = asConfig(search);
  const all = { ...index, ...(Object.keys(written).length > 0 && { search: written }) };
  return Object.keys(all).length === 0 || !isPlain(all) ? undefined : fieldsOf(all);
}

/** The file has no place for BM25's own settings, and the reranker's depth stands beside it. */
function asConfig({ bm25: _, rerank, ...search }: Values): Values {
  if (!isObject(rerank)) return rerank === undefined ? search : { ...search, rerank };
  const { model = true, depth } = rerank as Values;
  return { ...search, rerank: model, ...(depth !== undefined && { rerankDepth: depth }) };
}

/** Fields that differ among the settings; of one that is an object, those within it. */
function varied(own: object, all: readonly object[]): Values {
  const values = own as Values;
  const found: Record<string, unknown> = {};
  for (const key of new Set(all.flatMap((other) => Object.keys(other)))) {
    const others = all.map((other) => (other as Values)[key]);
    if (new Set(others.map((value) => JSON.stringify(value))).size < 2 || values[key] === undefined) continue;
    const objects = others.filter(isObject);
    // A reranker's fields only mean something together.
    const apart = key !== "rerank" && objects.length === others.length;
    found[key] = apart ? varied(values[key] as object, objects) : values[key];
  }
  return found;
}

function isObject(value: unknown): value is object {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function isPlain(value: unknown): boolean {
  if (Array.isArray(value)) return value.every(isPlain);
  if (!isObject(value)) return ["string", "number", "boolean"].includes(typeof value);
  return Object.getPrototypeOf(value) === Object.prototype && Object.values(value).every(isPlain);
}

function fieldsOf(values: Values): string {
  return Object.entries(values)
    .map(([key, value]) => `${key}: ${textOf(value)}`)
    .join(", ");
}

function textOf(value: unknown): string {
  return isObject(value) ? `{ ${fieldsOf(value as Values)} }` : JSON.stringify(value);
}
