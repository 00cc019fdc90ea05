import type { Connection } from "./connection.ts";
import { bytesToText, textToBytes } from "./text-bytes.ts";

/** Who merges, and what would be left behind if it ended now. */
export interface Upkeep {
  readonly owner: string | undefined;
  /** Whether the owner wrote this lately; one that did not has ended. */
  readonly fresh?: boolean;
  /** Key of a segment whose blocks are being written. */
  readonly building: number | undefined;
  /** Keys of segments that are no more, whose blocks are still there. */
  readonly garbage: readonly number[];
}

const KEY = "upkeep";
const STALE_MS = 10_000;
const NONE: Upkeep = { owner: undefined, building: undefined, garbage: [] };

export function readUpkeep(db: Connection): Upkeep {
  const row = db.get<{ value: Uint8Array }>("SELECT value FROM meta WHERE key = ?", KEY);
  if (!row) return NONE;
  const { at, ...upkeep } = JSON.parse(bytesToText(row.value)) as Upkeep & { at: number };
  return { ...NONE, ...upkeep, fresh: Math.abs(Date.now() - at) < STALE_MS };
}

/** Nothing under way and nothing left leaves no row. */
export function writeUpkeep(db: Connection, { owner, building, garbage }: Upkeep): void {
  if (building === undefined && garbage.length === 0) {
    db.run("DELETE FROM meta WHERE key = ?", KEY);
    return;
  }
  const value = JSON.stringify({ owner, building, garbage, at: Date.now() });
  db.run(
    "INSERT INTO meta (key, value) VALUES (?, ?) ON CONFLICT (key) DO UPDATE SET value = excluded.value",
    KEY,
    textToBytes(value),
  );
}
