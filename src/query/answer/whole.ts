import { estimateTokens } from "../../llm/estimate-tokens.ts";
import { modelFacts } from "../../llm/model-facts.ts";
import { type DocumentRecord, type Evidence, KonteksError, type StoredChunk } from "../../spec/index.ts";
import { lineStarts, linesOf } from "../../util/lines.ts";
import { MAX_OUTPUT_TOKENS } from "./generate.ts";

/** Default of `wholeLimit`. Anthropic, "Introducing Contextual Retrieval": below 200,000 tokens, send everything. */
export const WHOLE_LIMIT = 200_000;
/** Rules, question and the tags around documents. */
const FRAME_TOKENS = 2_000;

export interface Corpus {
  readonly documents: readonly { readonly id: string; readonly characters: number }[];
  document(id: string): Promise<DocumentRecord | undefined>;
  chunks(id: string): Promise<readonly StoredChunk[]>;
}

export interface WholeDecision {
  /** Every document as one numbered passage, by id; undefined when passages are to be searched for. */
  readonly evidence?: readonly Evidence[];
  readonly reason: string;
}

/**
 * Whether the whole corpus goes into the prompt. Documents stand in the order of their ids, so that the prompt's front is
 * the same, byte for byte, for every question, and the provider's cache can keep it.
 */
export async function decideWhole(
  corpus: Corpus,
  modelId: string,
  whole: "auto" | "always" | "never",
  wanted = WHOLE_LIMIT,
): Promise<WholeDecision> {
  if (whole === "never") return { reason: "Passages were searched for, as asked." };
  const window = modelFacts(modelId).windowTokens - MAX_OUTPUT_TOKENS - FRAME_TOKENS;
  const limit = Math.min(wanted, window);
  const characters = corpus.documents.reduce((sum, document) => sum + document.characters, 0);
  // No text has fewer tokens than this; the documents are not read to find out that they are too long.
  if (characters / 8 > limit) return tooLong(whole, Math.round(characters / 4), limit);
  const records = await Promise.all(corpus.documents.map(({ id }) => corpus.document(id)));
  const texts = records.filter((record) => record !== undefined);
  const tokens = texts.reduce((sum, { document }) => sum + estimateTokens(document.text), 0);
  if (tokens > limit) return tooLong(whole, tokens, limit);
  if (texts.length === 0) return { reason: "There are no documents." };
  const evidence = await Promise.all(
    texts.map(async (record, i) => toEvidence(record, await corpus.chunks(record.document.id), i)),
  );
  const near =
    tokens > 0.9 * limit ? " They are close to it: soon passages will be searched for instead." : "";
  return {
    evidence,
    reason: `All documents were sent, about ${count(tokens)} tokens of at most ${count(limit)}.${near}`,
  };
}

function tooLong(whole: "auto" | "always", tokens: number, limit: number): WholeDecision {
  const facts = `about ${count(tokens)} tokens, the limit is ${count(limit)}`;
  if (whole === "auto")
    return { reason: `The documents do not fit into the prompt (${facts}); passages were searched for.` };
  throw new KonteksError(
    "wrong-option",
    `The documents do not fit into the prompt: ${facts}. Have passages searched for instead (whole "never"), or raise the limit (\`wholeLimit\`) if the model reads more.`,
    { facts: { tokens, limit } },
  );
}

function count(tokens: number): string {
  return tokens.toLocaleString("en-US");
}

function toEvidence({ document }: DocumentRecord, chunks: readonly StoredChunk[], index: number): Evidence {
  const { id, text, title, uri, language, pages } = document;
  const [first, last] = [pages?.[0], pages?.at(-1)];
  return {
    number: index + 1,
    documentId: id,
    title,
    uri,
    headings: [],
    lines: linesOf(lineStarts(text), { start: 0, end: text.length }),
    ...(first && last && { pages: [first.number, last.number] as const }),
    start: 0,
    end: text.length,
    text,
    chunks: chunks.map(({ chunk }) => ({ id: chunk.id, start: chunk.start, end: chunk.end })),
    // The documents explain themselves when they are all there.
    orientation: [],
    ...(language !== undefined && { language }),
  };
}
