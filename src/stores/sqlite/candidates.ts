import { boundBlocks, room, type Search } from "./block-bounds.ts";
import { BLOCK_CHUNKS, BLOCK_SHIFT } from "./chunk-blocks.ts";
import type { Part, PartTerm, ScoredTerm } from "./query-parts.ts";
import { seekWithin } from "./seek.ts";
import type { Impacts } from "./term-lists.ts";
import type { Threshold } from "./threshold.ts";

/** A chunk that may be among the best. */
export interface Candidate {
  readonly part: Part;
  readonly chunk: number;
  /** Place of its document in the segment. */
  readonly document: number;
  /** The most that its score can be. */
  readonly most: number;
}

/** Scores in single precision are never off by more, in proportion. */
export const SLACK = 1e-5;

/**
 * Chunks that can reach the threshold. Each block of 128 chunk numbers has a bound, the sum of the most that each term adds
 * there; blocks are scored from the highest bound down, and the others never read (Mallia, Suel, Tonellotto 2024, "Faster
 * learned sparse retrieval with block-max pruning").
 */
export function findCandidates(
  parts: readonly Part[],
  terms: readonly ScoredTerm[],
  best: Threshold,
): Candidate[] {
  const { searches, count, order } = boundBlocks(parts, terms);
  const found: Candidate[] = [];
  for (let i = 0; i < count; i++) {
    const place = order[i] as number;
    const bound = room.bounds[place] as number;
    if (bound === 0 || bound < best.value * (1 - SLACK)) continue;
    const search = searches[room.parts[place] as number] as Search;
    scoreBlock(search, place - search.firstBlock, best, found);
  }
  return found;
}

function scoreBlock(search: Search, block: number, best: Threshold, found: Candidate[]): void {
  const { part, late, firstBlock, firstDocument } = search;
  const { scores, documents } = room;
  const { owners } = part;
  const { hidden, blocks } = part.selection;
  const first = block << BLOCK_SHIFT;
  let start = first;
  let end = Math.min(first + BLOCK_CHUNKS, part.segment.size);
  if (blocks) {
    // Of a filter's chunks there are few in a block, one beside the other.
    while (start < end && hidden[start]) start++;
    while (end > start && hidden[end - 1]) end--;
  }
  let needed = best.value * (1 - SLACK);
  const mostOfDocument = room.mostOfDocuments[firstBlock + block] as number;
  let left = search.lateBound + search.documentLateBound;
  scores.fill(0);
  if (!addMain(search, block, start, end, needed - left - mostOfDocument)) return;
  // Where a chunk with nothing but late terms could be among the best, these are added to all.
  if (left + mostOfDocument >= needed) {
    for (let i = 0; i < late.length; i++) addBlock(late[i] as PartTerm, block, start, end);
    left = search.documentLateBound;
  }
  for (let chunk = start; chunk < end; chunk++) {
    const own = scores[chunk - first] as number;
    if (own === 0 || own + left + mostOfDocument < needed || hidden[chunk]) continue;
    const document = owners[chunk] as number;
    const least = own + (documents[firstDocument + document] as number);
    if (least + left < needed) continue;
    found.push({ part, chunk, document, most: least + left });
    needed = best.add(least) * (1 - SLACK);
  }
}

/**
 * Adds the terms that are not left for later, rare ones first. False as soon as no chunk of the block can have `needed`:
 * what common words, which have most of the entries, would add is then not read.
 */
function addMain(search: Search, block: number, start: number, end: number, needed: number): boolean {
  const { long, short, firstMask, masks } = search;
  const place = search.firstBlock + block;
  let most = 0;
  /** The most that the terms that are still to come can add. */
  let rest =
    (room.bounds[place] as number) -
    (room.mostOfDocuments[place] as number) -
    search.lateBound -
    search.documentLateBound;
  for (let mask = 0; mask < masks; mask++) {
    let bits = room.present[firstMask + block * masks + mask] as number;
    for (; bits !== 0; bits &= bits - 1) {
      const number = 32 * mask + 31 - Math.clz32(bits & -bits);
      const one = short[number] as PartTerm;
      most = Math.max(most, addBlock(one, block, start, end));
      rest -= one.term.weight * added.most;
    }
  }
  for (let i = 0; i < long.length; i++) {
    if (most + rest < needed) return false;
    const one = long[i] as PartTerm;
    rest -= one.term.weight * ((one.impacts.most as Float32Array)[block] as number);
    most = Math.max(most, addBlock(one, block, start, end));
  }
  return most >= needed;
}

const added = { most: 0 };

/** Adds what a list says of chunks from `start` to before `end`, all in one block; gives the highest score that it made. */
function addBlock({ term, impacts }: PartTerm, block: number, start: number, end: number): number {
  const { weight } = term;
  const { chunks, values } = impacts;
  const { scores } = room;
  let most = 0;
  let gain = 0;
  let at = entryFrom(impacts, start, block);
  for (let chunk = chunks[at] as number; chunk < end; chunk = chunks[++at] as number) {
    const place = chunk & (BLOCK_CHUNKS - 1);
    const value = values[at] as number;
    const score = (scores[place] as number) + weight * value;
    scores[place] = score;
    if (score > most) most = score;
    if (value > gain) gain = value;
  }
  added.most = gain;
  return most;
}

/** First entry of a list from a chunk of the block on. */
function entryFrom({ chunks, starts }: Impacts, chunk: number, block: number): number {
  if (!starts) return seekWithin(chunks, chunk, 0, chunks.length);
  const first = starts[block] as number;
  if (chunk === block << BLOCK_SHIFT) return first;
  return seekWithin(chunks, chunk, first, starts[block + 1] as number);
}

/** Place of a chunk in a list; -1 where it does not stand there. */
export function entryOf(impacts: Impacts, chunk: number, block: number): number {
  const at = entryFrom(impacts, chunk, block);
  return impacts.chunks[at] === chunk ? at : -1;
}
