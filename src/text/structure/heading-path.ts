import type { Heading } from "../../spec/index.ts";

/** Headings that govern the text at `offset`, outermost first. `outline` is in order of its starts. */
export function headingPath(outline: readonly Heading[], offset: number): Heading[] {
  const path: Heading[] = [];
  let level = Number.POSITIVE_INFINITY;
  for (let at = lastBefore(outline, offset); at >= 0 && level > 1; at--) {
    const heading = outline[at];
    if (heading === undefined || heading.level >= level) continue;
    path.unshift(heading);
    level = heading.level;
  }
  return path;
}

/** Index of the last heading that starts at or before `offset`; -1 when there is none. */
function lastBefore(outline: readonly Heading[], offset: number): number {
  let low = -1;
  let high = outline.length;
  while (high - low > 1) {
    const middle = (low + high) >> 1;
    if ((outline[middle]?.start ?? 0) <= offset) low = middle;
    else high = middle;
  }
  return low;
}
