import {
  type Chunk,
  type ChunkInput,
  type ChunkOptions,
  type Document,
  type DocumentInput,
  KonteksError,
} from "../spec/index.ts";
import { countTokens } from "../text/count-tokens.ts";
import { textWarnings } from "../text/warnings.ts";
import { lineStarts, linesOf } from "../util/lines.ts";
import { chunkDocument } from "./chunk/chunk.ts";

/** Adds what a person should know of how the text will be found. */
export function withWarnings(document: Document): Document {
  const found = textWarnings(document.text, document.language);
  return found.length === 0 ? document : { ...document, warnings: [...(document.warnings ?? []), ...found] };
}

/** The document's chunks: cut here, or given by the user. */
export function chunksOf(
  document: Document,
  input: DocumentInput | undefined,
  options: ChunkOptions,
): readonly Chunk[] {
  return input?.chunks ? givenChunks(document, input.chunks) : chunkDocument(document, options);
}

function givenChunks(document: Document, inputs: readonly ChunkInput[]): readonly Chunk[] {
  const starts = lineStarts(document.text);
  return inputs.map((input, ordinal) => {
    checkSpan(document, input, ordinal);
    const text = document.text.slice(input.start, input.end);
    return {
      id: `${document.id}#${ordinal}`,
      documentId: document.id,
      ordinal,
      start: input.start,
      end: input.end,
      text,
      headings: [],
      lines: linesOf(starts, input),
      tokens: countTokens(text),
    };
  });
}

function checkSpan(document: Document, { start, end }: ChunkInput, ordinal: number): void {
  const { length } = document.text;
  const whole = Number.isInteger(start) && Number.isInteger(end) && start >= 0 && end <= length;
  if (whole && document.text.slice(start, end).trim() !== "") return;
  throw new KonteksError(
    "wrong-option",
    `Chunk ${ordinal} of "${document.id}" is [${start}, ${end}), which holds no text of the ${length} characters. ` +
      "Give offsets into the document's text.",
    { facts: { documentId: document.id, ordinal, start, end } },
  );
}
