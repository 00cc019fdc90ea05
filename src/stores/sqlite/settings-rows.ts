import { type IndexIdentity, KonteksError } from "../../spec/index.ts";
import type { Connection } from "./connection.ts";
import { bytesToText, textToBytes } from "./text-bytes.ts";

const IDENTITY = "identity";
const SETTING = "setting:";

export function readIdentity(db: Connection): IndexIdentity | undefined {
  const text = readMeta(db, IDENTITY);
  return text === undefined ? undefined : (JSON.parse(text) as IndexIdentity);
}

/** With chunks in the index, nothing but unknown dimensions may change. */
export function writeIdentity(db: Connection, identity: IndexIdentity, chunks: number): void {
  const present = readIdentity(db);
  if (present && chunks > 0) refuseOtherIdentity(db.path, present, identity);
  writeMeta(db, IDENTITY, JSON.stringify(identity));
}

export function readSetting(db: Connection, key: string): string | undefined {
  return readMeta(db, SETTING + key);
}

export function writeSetting(db: Connection, key: string, value: string): void {
  writeMeta(db, SETTING + key, value);
}

function refuseOtherIdentity(path: string, present: IndexIdentity, wanted: IndexIdentity): void {
  const differing = (Object.keys(wanted) as (keyof IndexIdentity)[]).filter(
    (field) => wanted[field] !== present[field] && !(field === "dimensions" && present.dimensions === 0),
  );
  if (differing.length === 0) return;
  const sides = differing.map((field) => `${field} "${present[field]}", asked for "${wanted[field]}"`);
  throw new KonteksError(
    "identity-mismatch",
    `${path} was made with ${sides.join("; ")}. Open it with its own settings, or index again with --rebuild.`,
    { facts: { path, present, wanted } },
  );
}

function readMeta(db: Connection, key: string): string | undefined {
  const row = db.get<{ value: Uint8Array }>("SELECT value FROM meta WHERE key = ?", key);
  return row && bytesToText(row.value);
}

function writeMeta(db: Connection, key: string, value: string): void {
  db.run(
    "INSERT INTO meta (key, value) VALUES (?, ?) ON CONFLICT (key) DO UPDATE SET value = excluded.value",
    key,
    textToBytes(value),
  );
}
