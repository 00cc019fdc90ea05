let segmenter: Intl.Segmenter | undefined;

/**
 * Words of a run of a script without spaces, by dictionary (ICU through `Intl.Segmenter`). The dictionary follows the
 * script, not the locale, so that a query is cut as the documents are, whatever their language.
 */
export function segmentWords(run: string): readonly string[] {
  segmenter ??= new Intl.Segmenter("und", { granularity: "word" });
  const words: string[] = [];
  for (const { segment, isWordLike } of segmenter.segment(run)) if (isWordLike) words.push(segment);
  return words;
}

/** Overlapping pieces of `size` characters; the run itself when it is not longer. None for an empty run. */
export function grams(run: string, size: number): readonly string[] {
  if (run.length <= size) return run === "" ? [] : [run];
  const pieces: string[] = [];
  if (!/[\ud800-\udfff]/.test(run)) {
    for (let i = 0; i + size <= run.length; i++) pieces.push(run.slice(i, i + size));
    return pieces;
  }
  const points = [...run];
  for (let i = 0; i + size <= points.length; i++) pieces.push(points.slice(i, i + size).join(""));
  return pieces.length === 0 ? [run] : pieces;
}
