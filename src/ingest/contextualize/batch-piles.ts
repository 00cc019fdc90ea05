/** Our own limit beside the provider's: a batch is built in memory. */
const mostBytes = 96_000_000;
/** Requests are written out a little longer than they are measured here. */
const slack = 0.8;

/** Divides requests into batches that keep to the provider's limits. */
export function createPiles<T>(limits: { readonly requests: number; readonly bytes: number }) {
  const bytes = Math.min(limits.bytes * slack, mostBytes);
  let pile: T[] = [];
  let size = 0;
  return {
    /** The pile that is full without this one, if it is. */
    add(item: T, length: number): readonly T[] | undefined {
      const isFull = pile.length > 0 && (pile.length >= limits.requests || size + length > bytes);
      const full = isFull ? pile : undefined;
      if (isFull) {
        pile = [];
        size = 0;
      }
      pile.push(item);
      size += length;
      return full;
    },
    rest: (): readonly T[] => pile,
  };
}
