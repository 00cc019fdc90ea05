import { mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { RerankScore } from "../spec/index.ts";
import { sha256 } from "../util/hash.ts";

/** Scores that were paid for, by reranker, query and texts. */
export interface RerankCache {
  get(key: string): readonly RerankScore[] | undefined;
  /** Throws when they cannot be kept. */
  set(key: string, scores: readonly RerankScore[]): unknown;
}

/**
 * A cache in a folder: a file for each list that was judged, named after the hash of reranker, query and texts. No text is in
 * it, and nothing but money is lost when it is deleted. A file is written under another name and put in its place, so that it
 * is whole or not there.
 */
export function openRerankCache(folder: string): RerankCache {
  const fileOf = (key: string) => join(folder, `${sha256(key)}.json`);
  return {
    get(key) {
      try {
        return JSON.parse(readFileSync(fileOf(key), "utf8")) as readonly RerankScore[];
      } catch {
        return undefined;
      }
    },
    set(key, scores) {
      const file = fileOf(key);
      const draft = `${file}.new-${process.pid}`;
      mkdirSync(folder, { recursive: true });
      writeFileSync(draft, JSON.stringify(scores.map(({ index, score }) => ({ index, score }))));
      renameSync(draft, file);
    },
  };
}
