import type { Judged } from "../judge.ts";

/** Empty retrieval = 1 when the search found nothing at all, else 0. Scored for every question, gold or not. */
export function empty(judged: Judged): number {
  return Number(judged.hits.length === 0);
}
