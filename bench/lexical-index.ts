import { isWholeDocument } from "../src/eval/judge.ts";
import type { GivenChunks } from "../src/eval/ladder/steps.ts";
import type { EvaluationSet } from "../src/eval/types.ts";
import { chunkDocument } from "../src/ingest/chunk/chunk.ts";
import { structuralContext } from "../src/ingest/contextualize/structural.ts";
import { documentFromInput } from "../src/ingest/load/index.ts";
import type { Chunk, ChunkOptions, Context, Document, FieldTerms } from "../src/spec/index.ts";
import { lineStarts, linesOf } from "../src/util/lines.ts";

/** A document with its chunks and what situates each. */
export interface Prepared {
  readonly document: Document;
  readonly chunks: readonly Chunk[];
  readonly contexts: readonly Context[];
}

/** Loads and cuts a set. Where all gold is whole documents, a document is one chunk. */
export async function prepare(
  set: EvaluationSet,
  options: ChunkOptions,
  given: GivenChunks | undefined,
): Promise<readonly Prepared[]> {
  const whole = set.questions.every(({ gold }) => gold.every(isWholeDocument));
  return Promise.all(
    set.documents.map(async (input) => {
      const document = await documentFromInput(input);
      const spans = given?.get(input.id) ?? (whole ? [{ start: 0, end: document.text.length }] : undefined);
      if (spans === undefined) {
        const chunks = chunkDocument(document, options);
        return { document, chunks, contexts: chunks.map((chunk) => structuralContext(document, chunk)) };
      }
      const chunks = spans.map((span, ordinal) => chunkOf(document, span, ordinal));
      const contexts = spans.map((span, i): Context => {
        const text = "context" in span ? span.context : undefined;
        const chunk = chunks[i] as Chunk;
        return text === undefined ? structuralContext(document, chunk) : { kind: "llm", text };
      });
      return { document, chunks, contexts };
    }),
  );
}

function chunkOf(
  document: Document,
  span: { readonly start: number; readonly end: number },
  ordinal: number,
): Chunk {
  const { start, end } = span;
  return {
    id: `${document.id}#${ordinal}`,
    documentId: document.id,
    ordinal,
    start,
    end,
    text: document.text.slice(start, end),
    headings: [],
    lines: linesOf(lineStarts(document.text), { start, end }),
    tokens: 0,
  };
}

/** What is read of a chunk: text by field. */
export type FieldsOf = (parts: {
  readonly title: string;
  readonly chunk: Chunk;
  readonly context: Context;
}) => Readonly<Record<string, string>>;

export type Analyze = (text: string, language: string | undefined) => FieldTerms;

/** Where a term stands: chunks ascending, and its frequency there by field. */
export interface Posting {
  readonly chunks: number[];
  readonly frequencies: readonly number[][];
}

/** All chunks of a set with the terms of their fields, in memory. */
export interface LexicalIndex {
  readonly fields: readonly string[];
  readonly chunks: readonly Chunk[];
  /** Number of the document that a chunk belongs to, and how many there are. */
  readonly owners: readonly number[];
  readonly documents: number;
  readonly postings: ReadonlyMap<string, Posting>;
  /** Words by field and chunk. */
  readonly lengths: readonly (readonly number[])[];
}

/** Every field is analysed once, whatever number of steps then scores it. */
export function indexOf(prepared: readonly Prepared[], fieldsOf: FieldsOf, analyze: Analyze): LexicalIndex {
  const fields = namesOf(prepared, fieldsOf);
  const postings = new Map<string, Posting>();
  const lengths = fields.map((): number[] => []);
  const chunks: Chunk[] = [];
  const owners: number[] = [];
  for (const [owner, { document, chunks: own, contexts }] of prepared.entries()) {
    const { title, language } = document;
    for (const [i, chunk] of own.entries()) {
      const at = chunks.push(chunk) - 1;
      owners.push(owner);
      const texts = fieldsOf({ title, chunk, context: contexts[i] ?? { kind: "none", text: "" } });
      for (const [field, name] of fields.entries()) {
        const found = analyze(texts[name] ?? "", language);
        lengths[field]?.push(found.length);
        for (const [term, count] of found.terms) add(postings, term, at, field, count, fields.length);
      }
    }
  }
  return { fields, chunks, owners, documents: prepared.length, postings, lengths };
}

function namesOf(prepared: readonly Prepared[], fieldsOf: FieldsOf): readonly string[] {
  const first = prepared.find(({ chunks }) => chunks.length > 0);
  const [chunk] = first?.chunks ?? [];
  const [context] = first?.contexts ?? [];
  return first && chunk && context ? Object.keys(fieldsOf({ title: "", chunk, context })) : [];
}

function add(
  postings: Map<string, Posting>,
  term: string,
  chunk: number,
  field: number,
  count: number,
  fields: number,
): void {
  let posting = postings.get(term);
  if (posting === undefined) {
    posting = { chunks: [], frequencies: Array.from({ length: fields }, () => []) };
    postings.set(term, posting);
  }
  if (posting.chunks.at(-1) !== chunk) {
    posting.chunks.push(chunk);
    for (const column of posting.frequencies) column.push(0);
  }
  const column = posting.frequencies[field];
  if (column) column[column.length - 1] = count;
}
