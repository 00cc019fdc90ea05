import type { Block, Chunk, ChunkOptions, Document, DocumentFormat, Span } from "../../spec/index.ts";
import { coverBlocks, readStructure } from "../../text/structure/index.ts";
import { graphemeBorders } from "../../util/graphemes.ts";
import { type Cut, cutPieces } from "./cut.ts";
import { describeChunks } from "./describe.ts";
import { paragraphPieces, sectionPieces, sentencePieces } from "./items.ts";
import { type Measure, measureOf } from "./measure.ts";
import { resolveChunkOptions } from "./options.ts";
import { overlapBefore } from "./overlap.ts";
import { type Piece, type PieceRules, piecesOf, plainPiecesOf } from "./pieces.ts";
import { countRuler, textRuler } from "./ruler.ts";

export { chunkerId, resolveChunkOptions } from "./options.ts";

const ITEMS = { sentences: sentencePieces, paragraphs: paragraphPieces, sections: sectionPieces } as const;

/** Tokens above which one sentence, paragraph or section counts as several. */
const LARGEST_ITEM = { sentences: 200, paragraphs: 1000, sections: 2000 } as const;

export interface ChunkTextOptions extends ChunkOptions {
  /** How structure is read. Default "text". */
  readonly format?: DocumentFormat;
  /** Names the document; its ending tells the language of source code. Default "text". */
  readonly id?: string;
}

/**
 * Cuts a text into chunks; each is a slice of the text with its place in it.
 *
 * @example
 * const chunks = chunk("# Title\n\nSome text.", { format: "markdown", unit: "words", size: 100 });
 *
 * Source code is cut by its layout and by how definitions begin in most languages: the grammars, which a file's ingest
 * reads it with, are loaded and this does not wait.
 *
 * Fails with "wrong-option" as `resolveChunkOptions` does.
 */
export function chunk(text: string, options: ChunkTextOptions = {}): Chunk[] {
  const { format = "text", id = "text", ...rest } = options;
  const resolved = resolveChunkOptions(rest);
  const readable = format === "markdown" || format === "code" ? format : "text";
  const { blocks, outline, metadata } = readStructure(text, readable, { path: id });
  return chunkDocument({ id, text, title: id, uri: id, format, metadata, outline, blocks }, resolved);
}

/**
 * Cuts a document into chunks at the best borders in reach: headings, then blocks, list items and rows, lines of code,
 * sentences, blank space, grapheme clusters. No chunk is larger than `size`; together they hold every character that is
 * neither blank nor front matter. The same document and options give the same chunks, and an edit moves only borders near it.
 */
export function chunkDocument(document: Document, options?: ChunkOptions): Chunk[] {
  const resolved = resolveChunkOptions(options);
  const blocks = blocksOf(document);
  const { pieces, cuts } = cutDocument(document, blocks, resolved);
  const spans = cuts.map(({ from, to, start }) => ({
    start,
    end: pieces[to - 1]?.end ?? start,
    own: pieces[from]?.start ?? start,
  }));
  return describeChunks(document, blocks, spans);
}

/** Blocks that cover the text, front matter left out. */
function blocksOf({ text, blocks }: Document): Block[] {
  const known = blocks.length > 0 ? coverBlocks(text, blocks) : readStructure(text, "text").blocks;
  return known.filter((block) => block.kind !== "metadata");
}

interface Cutting {
  readonly pieces: readonly Piece[];
  readonly cuts: readonly Cut[];
}

function cutDocument(document: Document, blocks: readonly Block[], options: Required<ChunkOptions>): Cutting {
  const { unit } = options;
  if (unit === "characters" || unit === "words" || unit === "tokens")
    return byMeasure(document, blocks, options, unit);
  return byCount(document, blocks, options, unit);
}

function byMeasure(
  { text, language }: Document,
  blocks: readonly Block[],
  { structure, ...options }: Required<ChunkOptions>,
  unit: "characters" | "words" | "tokens",
): Cutting {
  const { measure, scale } = measureOf(unit);
  const size = options.size * scale;
  const most = options.overlap * scale;
  const isBorder = graphemeBorders(text);
  const rules = pieceRules(
    { text, language, isBorder },
    measure,
    Math.max(scale, Math.min(size / 4, (size - most) / 2)),
    size,
  );
  const pieces = structure ? piecesOf(rules, blocks) : plainPiecesOf(rules, blocks);
  const ruler = textRuler(text, pieces, measure);
  const overlapRules = { text, pieces, ruler, most, language, isBorder, ...(structure ? { measure } : {}) };
  const overlapAt = (index: number) => overlapBefore(overlapRules, index);
  return { pieces, cuts: cutPieces({ text, pieces, ruler, size, overlap: most, overlapAt }) };
}

function byCount(
  { text, language }: Document,
  blocks: readonly Block[],
  { size, overlap }: Required<ChunkOptions>,
  unit: keyof typeof LARGEST_ITEM,
): Cutting {
  const { measure, scale } = measureOf("tokens");
  const largest = LARGEST_ITEM[unit] * scale;
  const isBorder = graphemeBorders(text);
  const pieces = ITEMS[unit]({ text, language, isBorder, measure, largest }, blocks);
  const ruler = countRuler(pieces);
  const overlapAt = (index: number) =>
    overlapBefore({ text, pieces, ruler, most: overlap, language, isBorder }, index);
  return { pieces, cuts: cutPieces({ text, pieces, ruler, size, overlap, overlapAt }) };
}

function pieceRules(
  shared: Pick<PieceRules, "text" | "language" | "isBorder">,
  measure: Measure,
  piece: number,
  size: number,
): PieceRules {
  return {
    ...shared,
    fits: (span: Span) => measure(shared.text, span) <= piece,
    within: (span: Span) => measure(shared.text, span) <= size,
  };
}
