/**
 * The candidate that a person most likely meant by `word`: at most `limit` edits away, or the one the beginning of the
 * other. Default limit: two edits, and at most half the word.
 */
export function nearest(
  word: string,
  candidates: readonly string[],
  limit = Math.min(2, Math.floor(word.length / 2)),
): string | undefined {
  const wanted = word.toLowerCase();
  const ranked = candidates
    .map((candidate) => ({ candidate, distance: distanceOf(wanted, candidate.toLowerCase()) }))
    .filter(({ candidate, distance }) => distance <= limit || startsAlike(wanted, candidate.toLowerCase()))
    .sort((a, b) => a.distance - b.distance || lengthGap(word, a.candidate) - lengthGap(word, b.candidate));
  return ranked[0]?.candidate;
}

function lengthGap(a: string, b: string): number {
  return Math.abs(a.length - b.length);
}

/** ` Did you mean "x"?`, or nothing. */
export function didYouMean(word: string, candidates: readonly string[]): string {
  const found = nearest(word, candidates);
  return found === undefined ? "" : ` Did you mean "${found}"?`;
}

/** `embeddingModel` for `embedding`: one is the beginning of the other. */
function startsAlike(a: string, b: string): boolean {
  return Math.min(a.length, b.length) >= 4 && (a.startsWith(b) || b.startsWith(a));
}

/** Edits from one word to the other, where swapped neighbours are one edit (optimal string alignment). */
function distanceOf(a: string, b: string): number {
  const rows: number[][] = [Array.from({ length: b.length + 1 }, (_, column) => column)];
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    for (let j = 1; j <= b.length; j++) row.push(cellOf(rows, row, a, b, i, j));
    rows.push(row);
  }
  return rows[a.length]?.[b.length] ?? Number.POSITIVE_INFINITY;
}

function cellOf(rows: number[][], row: number[], a: string, b: string, i: number, j: number): number {
  const at = (up: number, left: number) =>
    (up === 0 ? row : rows[i - up])?.[j - left] ?? Number.POSITIVE_INFINITY;
  const same = a[i - 1] === b[j - 1] ? 0 : 1;
  const swapped = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
  return Math.min(
    at(1, 0) + 1,
    at(0, 1) + 1,
    at(1, 1) + same,
    swapped ? at(2, 2) + 1 : Number.POSITIVE_INFINITY,
  );
}
