import { type ChunkOptions, type ChunkUnit, KonteksError } from "../../spec/index.ts";

/** Raised whenever the same text and options would give other chunks than before: an index knows its chunker by it. */
const VERSION = "v2";

const DEFAULTS: Readonly<Record<ChunkUnit, { readonly size: number; readonly overlap: number }>> = {
  characters: { size: 1000, overlap: 200 },
  words: { size: 500, overlap: 50 },
  tokens: { size: 800, overlap: 150 },
  sentences: { size: 10, overlap: 1 },
  paragraphs: { size: 5, overlap: 0 },
  sections: { size: 1, overlap: 0 },
};

/**
 * The options with every default filled in. A `size` below the default keeps the default overlap's share of it.
 * Fails with "wrong-option" on an unknown unit, a size that is no positive whole number, or an overlap not in `[0, size)`.
 */
export function resolveChunkOptions(options: ChunkOptions = {}): Required<ChunkOptions> {
  const unit = options.unit ?? "tokens";
  const defaults = Object.hasOwn(DEFAULTS, unit) ? DEFAULTS[unit] : undefined;
  if (!defaults) throw wrong("unit", unit, `one of ${Object.keys(DEFAULTS).join(", ")}`);
  const size = options.size ?? defaults.size;
  if (!Number.isSafeInteger(size) || size < 1) throw wrong("size", size, "a whole number of 1 or more");
  const share = Math.floor((defaults.overlap * size) / defaults.size);
  const overlap = options.overlap ?? Math.min(defaults.overlap, share);
  if (!Number.isSafeInteger(overlap) || overlap < 0 || overlap >= size) {
    throw wrong(
      "overlap",
      overlap,
      `a whole number from 0 to ${size - 1}, smaller than the size of ${size} ${unit}`,
    );
  }
  const structure = options.structure ?? true;
  if (typeof structure !== "boolean") throw wrong("structure", structure, "true or false");
  return { unit, size, overlap, structure };
}

/** Name of a chunker's settings for the index identity: "tokens:800/150:structure:v2". */
export function chunkerId(options: ChunkOptions = {}): string {
  const { unit, size, overlap, structure } = resolveChunkOptions(options);
  return `${unit}:${size}/${overlap}:${structure ? "structure" : "plain"}:${VERSION}`;
}

function wrong(option: string, value: unknown, right: string): KonteksError {
  return new KonteksError(
    "wrong-option",
    `Chunk option "${option}" is ${JSON.stringify(value) ?? value}. Give ${right}.`,
    {
      facts: { option, value },
    },
  );
}
