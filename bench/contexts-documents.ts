import { chunkDocument } from "../src/ingest/chunk/chunk.ts";
import { documentFromInput } from "../src/ingest/load/index.ts";
import type { Chunk, ChunkOptions, Document } from "../src/spec/index.ts";
import type { TokenPiece } from "../src/testing/provider/index.ts";
import { loadSet, publishedChunks } from "./sets.ts";

export interface Prepared {
  readonly document: Document;
  readonly chunks: readonly Chunk[];
}

export type Pieces = (text: string) => Iterable<TokenPiece>;

export function count(pieces: Pieces, text: string): number {
  let sum = 0;
  for (const { tokens } of pieces(text)) sum += tokens;
  return sum;
}

/** Documents of a set, cut as konteks cuts them. */
export async function documentsOf(
  name: string,
  most: number,
  options: ChunkOptions = {},
): Promise<readonly Prepared[]> {
  const { documents } = await loadSet(name);
  const chosen = documents.filter(({ text }) => text.trim() !== "").slice(0, most);
  return Promise.all(
    chosen.map(async (input) => {
      const { language: _, ...document } = await documentFromInput(input);
      // Without a language: made-up contexts of mixed words would fail the check for it.
      return { document, chunks: chunkDocument(document, options) };
    }),
  );
}

/** `codebases`, cut as published. */
export async function codebases(): Promise<readonly Prepared[]> {
  const { documents } = await loadSet("codebases");
  const given = await publishedChunks();
  return Promise.all(
    documents.map(async (input) => {
      const document = await documentFromInput(input);
      const spans = (given.get(input.id) ?? []).filter(
        ({ start, end }) => document.text.slice(start, end).trim() !== "",
      );
      return { document, chunks: spans.map((span, ordinal) => chunkOf(document, span, ordinal)) };
    }),
  );
}

function chunkOf(
  document: Document,
  span: { readonly start: number; readonly end: number },
  ordinal: number,
): Chunk {
  const { start, end } = span;
  const text = document.text.slice(start, end);
  return {
    id: `${document.id}#${ordinal}`,
    documentId: document.id,
    ordinal,
    start,
    end,
    text,
    headings: [],
    lines: [1, 1],
    tokens: 0,
  };
}

/** Made-up documents of a length, of sentences from a set, in chunks of 800 tokens by the simulation's own count. */
export async function madeUp(
  pieces: Pieces,
  tokens: number,
  overlap: number,
  documents: number,
): Promise<readonly Prepared[]> {
  const { documents: source } = await loadSet("legalbench-rag-contractnli");
  const sentences = source
    .flatMap(({ text }) => text.split(/(?<=[.;])\s+/))
    .map((sentence) => sentence.replace(/\s+/g, " ").trim())
    .filter((sentence) => sentence.length > 40 && sentence.length < 300);
  let next = 0;
  const take = () => sentences[next++ % sentences.length] ?? "";
  return Promise.all(
    Array.from({ length: documents }, async (_, number) => {
      const { text, spans } = assemble(pieces, tokens, overlap, take);
      const document = await documentFromInput({ id: `made-${tokens}-${number}.txt`, text, language: "en" });
      return { document, chunks: spans.map((span, ordinal) => chunkOf(document, span, ordinal)) };
    }),
  );
}

const chunkTokens = 800;

/** Chunks begin every `800 - overlap` tokens and end 800 later, each at the border of a sentence that is nearest. */
function assemble(pieces: Pieces, tokens: number, overlap: number, take: () => string) {
  const borders: { readonly at: number; readonly tokens: number }[] = [{ at: 0, tokens: 0 }];
  let text = "";
  let sum = 0;
  while (sum < tokens) {
    text += `${take()} `;
    sum = count(pieces, text);
    borders.push({ at: text.length, tokens: sum });
  }
  const nearest = (wanted: number) =>
    borders.reduce((best, one) =>
      Math.abs(one.tokens - wanted) < Math.abs(best.tokens - wanted) ? one : best,
    ).at;
  const step = chunkTokens - overlap;
  const chunks = Math.max(1, Math.round((tokens - overlap) / step));
  const spans = Array.from({ length: chunks }, (_, k) => ({
    start: nearest(k * step),
    end: k === chunks - 1 ? text.length : nearest(k * step + chunkTokens),
  }));
  return { text, spans };
}
