/** Our own limit beside the provider's: a batch is built in memory. */
const mostBytes = 96_000_000;
/** Requests are written out a little longer than they are measured here. */
const slack = 0.8;

/** Divides requests into batches that keep to the provider's limits. */
export function createPiles<T>(limits: { readonly requests: number; readonly bytes: number }) {
  const bytes = Math.min(limits.bytes * slack, mostBytes);
  let pile: T[] = [];
  let size = 0;
  const take = (): readonly T[] => {
    const taken = pile;
    pile = [];
    size = 0;
    return taken;
  };
  return {
    /** The pile that is full without this one, if it is; else nothing. */
    add(item: T, length: number): readonly T[] {
      const isFull = pile.length > 0 && (pile.length >= limits.requests || size + length > bytes);
      const full = isFull ? take() : [];
      pile.push(item);
      size += length;
      return full;
    },
    /** What has come together so far. */
    take,
  };
}
