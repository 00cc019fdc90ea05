import type { StoredChunk } from "../spec/index.ts";
import { likeness, shinglesOf, wordsOf } from "./words.ts";

/** A chunk in the order so far. */
export interface Ordered {
  readonly stored: StoredChunk;
  readonly score: number;
}

export interface DiversifyOptions {
  readonly perDocument?: number | undefined;
  readonly fold?: number | undefined;
  readonly mmr?: number | undefined;
}

export interface Diversified<T extends Ordered> {
  readonly kept: readonly (T & { readonly folded: readonly string[] })[];
  /** Why each other chunk was left out, by id. */
  readonly left: ReadonlyMap<string, string>;
}

/**
 * Spreads an order: chunks are taken one by one, so that what the first k are never depends on k.
 *
 * MMR takes next what is largest in `λ · score/best − (1 − λ) · likeness to the most alike taken one`; likeness is the
 * share of common words. A chunk is folded into one with so many runs of three words in common. Source: Carbonell, Goldstein, "The Use of MMR", SIGIR 1998.
 */
export function diversify<T extends Ordered>(order: readonly T[], options: DiversifyOptions): Diversified<T> {
  const { perDocument, fold, mmr } = options;
  const source = mmr === undefined ? order : byMarginalRelevance(order, mmr, remembered(wordsOf));
  const shingles = remembered(shinglesOf);
  const kept: (T & { readonly folded: string[] })[] = [];
  const left = new Map<string, string>();
  const counts = new Map<string, number>();
  for (const item of source) {
    const { id, documentId } = item.stored.chunk;
    const twin = fold === undefined ? undefined : kept.find((other) => alike(other, item, fold, shingles));
    const count = counts.get(documentId) ?? 0;
    if (twin) {
      twin.folded.push(id);
      left.set(id, `folded into ${twin.stored.chunk.id}`);
    } else if (perDocument !== undefined && count >= perDocument) {
      left.set(id, `${perDocument} better chunks of its document are in (perDocument)`);
    } else {
      counts.set(documentId, count + 1);
      kept.push({ ...item, folded: [] });
    }
  }
  return { kept, left };
}

type Words = (item: Ordered) => ReadonlySet<string>;

function remembered(read: (stored: StoredChunk) => ReadonlySet<string>): Words {
  const known = new Map<string, ReadonlySet<string>>();
  return ({ stored }) => {
    const words = known.get(stored.chunk.id) ?? read(stored);
    known.set(stored.chunk.id, words);
    return words;
  };
}

function alike(a: Ordered, b: Ordered, fold: number, words: Words): boolean {
  return a.stored.chunk.text === b.stored.chunk.text || likeness(words(a), words(b)) >= fold;
}

function byMarginalRelevance<T extends Ordered>(
  order: readonly T[],
  lambda: number,
  words: Words,
): readonly T[] {
  const best = order[0]?.score || 1;
  const rest = order.map((item) => ({ item, likest: 0 }));
  const taken: T[] = [];
  while (rest.length > 0) {
    const worth = ({ item, likest }: (typeof rest)[number]) =>
      (lambda * item.score) / best - (1 - lambda) * likest;
    const next = rest.reduce((most, entry, i) => (worth(entry) > worth(rest[most] ?? entry) ? i : most), 0);
    const [entry] = rest.splice(next, 1);
    if (!entry) break;
    taken.push(entry.item);
    for (const other of rest)
      other.likest = Math.max(other.likest, likeness(words(other.item), words(entry.item)));
  }
  return taken;
}
