import type { Store } from "../spec/index.ts";
import type { EmbedResult } from "./embed.ts";

/** Some of a document's chunks that wait for vectors. */
export interface Portion {
  readonly documentId: string;
  readonly indexedAt: string;
  readonly ordinals: readonly number[];
  /** Chunks of the document that wait. */
  readonly of: number;
}

/** Writes vectors as they come, those of a document together. */
export interface LateWrites {
  /** Results by chunk id; returns once what is to be written now is written. */
  add(portion: Portion, results: ReadonlyMap<string, EmbedResult | undefined>): Promise<void>;
  /** Writes what is held of documents that are not through. */
  finish(): Promise<void>;
  /** Chunks that got vectors. */
  embedded(): number;
}

/** A document of at most so many waiting chunks is written once: each write reads and writes all its vectors. */
const WRITTEN_ONCE = 100;
/** A larger one is written about so many times. */
const WRITES = 8;

interface Held {
  readonly portion: Portion;
  /** Chunks that were not tried yet. */
  left: number;
  vectors: Map<number, readonly Float32Array[]>;
  reason: string | undefined;
}

export function createLateWrites(store: Pick<Store, "writeVectors">): LateWrites {
  const documents = new Map<string, Held>();
  let embedded = 0;

  async function write(held: Held): Promise<void> {
    const { vectors, reason } = held;
    if (vectors.size === 0 && reason === undefined) return;
    held.vectors = new Map();
    held.reason = undefined;
    const { documentId, indexedAt } = held.portion;
    const late = { documentId, indexedAt, vectors, ...(reason !== undefined && { reason }) };
    if (await store.writeVectors(late)) embedded += vectors.size;
  }

  return {
    async add(portion, results) {
      const { documentId, ordinals, of } = portion;
      const held = documents.get(documentId) ?? { portion, left: of, vectors: new Map(), reason: undefined };
      documents.set(documentId, held);
      held.left -= ordinals.length;
      for (const ordinal of ordinals) {
        const result = results.get(`${documentId}#${ordinal}`);
        if (result && "vectors" in result) held.vectors.set(ordinal, result.vectors);
        else held.reason ??= result?.error;
      }
      if (held.left === 0 || held.vectors.size >= Math.max(WRITTEN_ONCE, of / WRITES)) await write(held);
    },
    finish: async () => void (await Promise.all([...documents.values()].map(write))),
    embedded: () => embedded,
  };
}
