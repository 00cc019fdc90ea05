import type { Judged } from "../judge.ts";
import { foundWithin, isScored } from "./places.ts";

/** hit@k = 1 when the first k hits find any gold passage, else 0 (also called success@k). */
export function hit(judged: Judged, k: number): number | undefined {
  return isScored(judged) ? Number(foundWithin(judged, k) > 0) : undefined;
}
