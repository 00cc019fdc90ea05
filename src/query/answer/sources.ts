import type { AskOptions, Evidence, Hit, StoredChunk } from "../../spec/index.ts";
import { buildEvidence } from "./evidence.ts";
import { openingOf, type SourceFacts } from "./grounds.ts";
import type { AskPorts } from "./ports.ts";

/** The hits as numbered passages. */
export async function evidenceOf(
  ports: Pick<AskPorts, "document">,
  hits: readonly Hit[],
  options: Pick<AskOptions, "evidenceTokens">,
): Promise<readonly Evidence[]> {
  const texts = new Map<string, string>();
  for (const record of await recordsOf(ports, hits)) texts.set(record.document.id, record.document.text);
  return buildEvidence(hits, { maxTokens: options.evidenceTokens, textOf: (id) => texts.get(id) }).evidence;
}

/** Metadata and opening lines of the documents that the passages are from. */
export async function sourceFactsOf(
  ports: Pick<AskPorts, "document">,
  evidence: readonly Evidence[],
): Promise<(documentId: string) => SourceFacts> {
  const facts = new Map<string, SourceFacts>();
  // A passage that is in no index is all that is known of its document.
  for (const { documentId, start, text } of evidence)
    if (start === 0) facts.set(documentId, { metadata: {}, opening: openingOf(text) });
  for (const { document } of await recordsOf(ports, evidence))
    facts.set(document.id, { metadata: document.metadata, opening: openingOf(document.text) });
  return (id) => facts.get(id) ?? { metadata: {}, opening: [] };
}

async function recordsOf(
  ports: Pick<AskPorts, "document">,
  passages: readonly { readonly documentId: string }[],
) {
  const ids = [...new Set(passages.map(({ documentId }) => documentId))];
  const records = await Promise.all(ids.map((id) => ports.document(id)));
  return records.filter((record) => record !== undefined);
}

/** The chunks before and behind a hit's own, as hits. */
export function neighboursOf(hit: Hit, chunks: readonly StoredChunk[]): readonly Hit[] {
  const at = chunks.findIndex(({ chunk }) => chunk.id === hit.chunkId);
  if (at < 0) return [];
  return [chunks[at - 1], chunks[at + 1]].flatMap((stored) => (stored ? [hitOfChunk(stored, hit)] : []));
}

/** It was not found by a search: its scores and ranks are empty. */
function hitOfChunk({ chunk, context }: StoredChunk, { pages: _pages, ...hit }: Hit): Hit {
  const { id, start, end, text, headings, lines, pages } = chunk;
  return {
    ...hit,
    chunkId: id,
    start,
    end,
    text,
    headings,
    lines,
    ...(pages && { pages }),
    context,
    score: 0,
    scores: {},
    ranks: {},
  };
}
