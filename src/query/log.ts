import { appendFileSync, existsSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import type { SearchResult } from "../spec/index.ts";

/** A search as the log keeps it. */
export interface LoggedQuery {
  /** ISO 8601. */
  readonly at: string;
  readonly query: string;
  /** Chunk ids, best first, with the scores that ordered them. */
  readonly hits: readonly (readonly [chunkId: string, score: number])[];
  readonly ms: number;
  /** What was left out, and why: `rerank: skipped (reason)`. */
  readonly notes?: readonly string[];
}

/** Adds a search to a log: one line of JSON. A log that cannot be written fails the search, since it was asked for. */
export function logQuery(path: string, { query, hits, notes }: SearchResult, ms: number): void {
  const entry: LoggedQuery = {
    at: new Date().toISOString(),
    query,
    hits: hits.map(({ chunkId, score }) => [chunkId, score]),
    ms: Math.round(ms * 10) / 10,
    ...(notes && { notes }),
  };
  appendFileSync(path, `${JSON.stringify(entry)}\n`);
}

/** The searches of a log, oldest first; a line that was cut off by a crash is passed over. None when there is no log. */
export function readQueryLog(path: string): readonly LoggedQuery[] {
  if (!existsSync(path)) return [];
  return readFileSync(path, "utf8")
    .split("\n")
    .flatMap((line) => {
      try {
        return line === "" ? [] : [JSON.parse(line) as LoggedQuery];
      } catch {
        return [];
      }
    });
}

/** Queries of a log, those without a hit, and those that were not reranked although it was asked for. */
export function countQueries(entries: readonly LoggedQuery[]) {
  const isSkipped = ({ notes = [] }: LoggedQuery) => notes.some((note) => note.startsWith("rerank: skipped"));
  return {
    queries: entries.length,
    empty: entries.filter(({ hits }) => hits.length === 0).length,
    skipped: entries.filter(isSkipped).length,
  };
}

/**
 * Takes a deleted document out of a log: its hits go, and with them the searches that found nothing else. The log is
 * written anew under another name and put in its place, so that a crash leaves one of the two whole.
 */
export function forgetDocument(path: string, documentId: string): void {
  const entries = readQueryLog(path);
  const isOthers = ([chunkId]: LoggedQuery["hits"][number]) =>
    chunkId.slice(0, chunkId.lastIndexOf("#")) !== documentId;
  const kept = entries
    .map((entry) => ({ entry, hits: entry.hits.filter(isOthers) }))
    .filter(({ entry, hits }) => hits.length > 0 || entry.hits.length === 0);
  if (kept.every(({ entry, hits }) => hits.length === entry.hits.length) && kept.length === entries.length)
    return;
  const draft = `${path}.new-${process.pid}`;
  writeFileSync(draft, kept.map(({ entry, hits }) => `${JSON.stringify({ ...entry, hits })}\n`).join(""));
  renameSync(draft, path);
}
