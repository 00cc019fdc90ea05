import { textForBm25 } from "../../text/index-text.ts";
import { type ChunkSource, parseChunkId, readChunkSource } from "./chunk-rows.ts";
import type { Connection } from "./connection.ts";
import { documentById, type LiveDocument, type LiveIndex } from "./live-index.ts";
import { pieceReader } from "./text-rows.ts";

/** What phrases are looked for in. */
export interface PhraseFields {
  readonly context: string;
  readonly body: string;
}

/** Where a chunk is kept, and how it is read. */
export interface PhraseTexts {
  /** Of the present write of the chunk; undefined where it is gone. */
  keyOf(chunkId: string): string | undefined;
  read(chunkId: string): PhraseFields | undefined;
}

/** Reads chunks of one state of the index. What they share, documents and pieces of text, is looked up once. */
export function phraseTexts(db: Connection, live: LiveIndex): PhraseTexts {
  const documents = new Map<string, LiveDocument | undefined>();
  const textOf = pieceReader(db);

  function placeOf(chunkId: string): { readonly key: number; readonly ordinal: number } | undefined {
    const place = parseChunkId(chunkId);
    if (!place) return undefined;
    const { documentId, ordinal } = place;
    if (!documents.has(documentId)) documents.set(documentId, documentById(db, live, documentId));
    const document = documents.get(documentId);
    return document && { key: document.key, ordinal };
  }

  function fieldsOf(key: number, { start, end, context, repeated }: ChunkSource): PhraseFields {
    const chunk = {
      text: textOf(key, start, end),
      headings: [],
      ...(repeated !== undefined && { repeated }),
    };
    return textForBm25({ title: "", context, chunk });
  }

  return {
    keyOf(chunkId) {
      const place = placeOf(chunkId);
      return place && `${place.key}#${place.ordinal}`;
    },
    read(chunkId) {
      const place = placeOf(chunkId);
      const source = place && readChunkSource(db, place.key, place.ordinal);
      return source && fieldsOf(place.key, source);
    },
  };
}
