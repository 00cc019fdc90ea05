import { closeSync, existsSync, fsyncSync, mkdirSync, openSync, readFileSync, writeSync } from "node:fs";
import { dirname } from "node:path";
import type { Usage } from "../spec/index.ts";
import { writingNow } from "./writing.ts";

/** A paid reply, under the fingerprint of all it depends on. */
export interface JournalEntry {
  readonly key: string;
  readonly reply: unknown;
  readonly usage: Usage;
}

/** Paid replies in a file: each is on disk before anything depends on it, and none is paid for twice. */
export interface Journal {
  get(key: string): JournalEntry | undefined;
  put(entry: JournalEntry): void;
  close(): void;
}

export function openJournal(path: string): Journal {
  return writingNow(path, () => open(path));
}

function open(path: string): Journal {
  mkdirSync(dirname(path), { recursive: true });
  const text = existsSync(path) ? readFileSync(path, "utf8") : "";
  const entries = new Map(
    text
      .split("\n")
      .flatMap(readEntry)
      .map((entry) => [entry.key, entry]),
  );
  const file = openSync(path, "a");
  // A line that was cut off by a kill must not swallow the next one.
  if (text !== "" && !text.endsWith("\n")) writeSync(file, "\n");
  return {
    get: (key) => entries.get(key),
    put(entry) {
      writingNow(path, () => {
        writeSync(file, `${JSON.stringify(entry)}\n`);
        fsyncSync(file);
      });
      entries.set(entry.key, entry);
    },
    close: () => closeSync(file),
  };
}

function readEntry(line: string): readonly JournalEntry[] {
  try {
    return line === "" ? [] : [JSON.parse(line) as JournalEntry];
  } catch {
    return [];
  }
}
