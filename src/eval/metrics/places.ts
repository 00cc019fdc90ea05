import type { Judged } from "../judge.ts";

/** A found gold passage: its worth and the place it takes. */
export interface Found {
  readonly grade: number;
  /** From 1; no two passages take the same. */
  readonly place: number;
}

/**
 * The found passages in order of place, each once and each on a place of its own: passages found by the same hit take
 * the places from it on, the most worthy first. So a hit that holds two passages is no worse than two hits, and no
 * measure that discounts by place exceeds 1. Where every hit finds at most one passage, places are ranks.
 */
export function foundInOrder(judged: Judged): readonly Found[] {
  let last = 0;
  return judged.places
    .flatMap((place, index) => (place === null ? [] : [{ place, grade: judged.grades[index] ?? 0 }]))
    .sort((a, b) => a.place - b.place || b.grade - a.grade)
    .map(({ place, grade }) => {
      last = Math.max(place, last + 1);
      return { grade, place: last };
    });
}

/** How many gold passages the first k hits find. */
export function foundWithin(judged: Judged, k: number): number {
  return judged.places.filter((place) => place !== null && place <= k).length;
}

/** A question without gold is not scored. */
export function isScored(judged: Judged): boolean {
  return judged.grades.length > 0;
}
