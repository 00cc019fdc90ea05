import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { KonteksError, type Thresholds } from "../spec/index.ts";

/** Where `konteks eval calibrate` keeps what it fitted for an index. */
export function thresholdsFile(index: string): string {
  return join(index, "thresholds.json");
}

const KINDS: readonly string[] = ["confidence", "bm25", "cosine", "rrf", "weighted", "rerank"];

/** The thresholds that were fitted for an index; undefined without. */
export function readThresholds(index: string): Thresholds | undefined {
  const path = thresholdsFile(index);
  if (!existsSync(path)) return undefined;
  try {
    const { thresholds } = JSON.parse(readFileSync(path, "utf8")) as { thresholds: Thresholds };
    const unknown = Object.keys(thresholds).filter((kind) => !KINDS.includes(kind));
    if (unknown.length > 0) throw new Error(`no such kind of score: ${unknown.join(", ")}`);
    return thresholds;
  } catch (cause) {
    throw new KonteksError(
      "unreadable",
      `${path} does not hold thresholds of this version. Delete it, or run \`konteks eval calibrate\` again.`,
      { facts: { path }, cause },
    );
  }
}
