import type { ModelUsage } from "../../spec/index.ts";
import type { Connection } from "./connection.ts";

const TABLE =
  "CREATE TABLE IF NOT EXISTS model_usage (model TEXT PRIMARY KEY, usage TEXT NOT NULL) WITHOUT ROWID";

/** Beyond so many calls what was counted before weighs half, so that a changed habit shows. */
const LONG_MEMORY = 5_000;

export function addUsageTable(db: Connection): void {
  db.exec(TABLE);
}

export function hasUsageTable(db: Connection): boolean {
  const found = db.get<{ n: number }>(
    "SELECT count(*) AS n FROM sqlite_schema WHERE type = 'table' AND name = 'model_usage'",
  );
  return (found?.n ?? 0) > 0;
}

export function readUsage(db: Connection, model: string): ModelUsage | undefined {
  const row = db.get<{ usage: string }>("SELECT usage FROM model_usage WHERE model = ?", model);
  return row && (JSON.parse(row.usage) as ModelUsage);
}

export function addUsage(db: Connection, model: string, usage: ModelUsage): void {
  const before = readUsage(db, model);
  const weight = before !== undefined && before.calls > LONG_MEMORY ? 0.5 : 1;
  const sum = before === undefined ? usage : summed(before, usage, weight);
  db.run("INSERT OR REPLACE INTO model_usage (model, usage) VALUES (?, ?)", model, JSON.stringify(sum));
}

function summed(before: ModelUsage, usage: ModelUsage, weight: number): ModelUsage {
  const names = Object.keys(usage) as (keyof ModelUsage)[];
  const sums = names.map((name) => [name, (before[name] ?? 0) * weight + usage[name]]);
  return Object.fromEntries(sums) as unknown as ModelUsage;
}
