let segmenter: Intl.Segmenter | undefined;

/** Grapheme clusters of any text (UAX 29), one segmenter for all. */
export function graphemeSegmenter(): Intl.Segmenter {
  segmenter ??= new Intl.Segmenter("und", { granularity: "grapheme" });
  return segmenter;
}

/** Tells whether an offset lies between two grapheme clusters, never inside one. */
export type IsBorder = (offset: number) => boolean;

/** Borders of grapheme clusters in `text`. Most offsets are settled by the two characters beside them. */
export function graphemeBorders(text: string): IsBorder {
  let segments: Intl.Segments | undefined;
  return (offset) => {
    if (offset <= 0 || offset >= text.length) return true;
    const before = text.charCodeAt(offset - 1);
    const after = text.charCodeAt(offset);
    if (standsAlone(before) && standsAlone(after)) return !(before === 13 && after === 10);
    segments ??= graphemeSegmenter().segment(text);
    return segments.containing(offset)?.index === offset;
  };
}

/** Characters that never join with a neighbour of their kind: Latin and the like, kana, Han. */
function standsAlone(code: number): boolean {
  return (
    (code < 0x300 && code !== 0xa9 && code !== 0xae) ||
    (code >= 0x3041 && code < 0x3097) ||
    (code >= 0x4e00 && code < 0xa000)
  );
}
