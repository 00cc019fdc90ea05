import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { KonteksError, type Thresholds } from "../spec/index.ts";

/** Where `konteks eval calibrate` keeps what it fitted for an index. */
export function thresholdsFile(index: string): string {
  return join(index, "thresholds.json");
}

/** The thresholds that were fitted for an index; undefined without. */
export function readThresholds(index: string): Thresholds | undefined {
  const path = thresholdsFile(index);
  if (!existsSync(path)) return undefined;
  try {
    const { thresholds } = JSON.parse(readFileSync(path, "utf8")) as { thresholds: Thresholds };
    return thresholds;
  } catch (cause) {
    throw new KonteksError(
      "unreadable",
      `${path} does not hold thresholds. Delete it, or run \`konteks eval calibrate\` again.`,
      { facts: { path }, cause },
    );
  }
}
