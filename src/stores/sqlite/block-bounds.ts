import { BLOCK_CHUNKS, BLOCK_SHIFT, blocksOf } from "./chunk-blocks.ts";
import type { Part, PartTerm, ScoredTerm } from "./query-parts.ts";

/**
 * Terms that together add less than these shares of the sum of all terms' bounds are left for later, to chunks and to
 * documents: words that stand nearly everywhere are most of the entries and next to nothing of the scores.
 */
const LATE_SHARE = 0.012;
const LATE_SHARE_OF_DOCUMENTS = 0.003;

/** A part with what the query leaves for later in it. */
export interface Search {
  readonly part: Part;
  /** Lists with bounds of blocks, and short ones. */
  readonly long: readonly PartTerm[];
  readonly short: readonly PartTerm[];
  readonly late: readonly PartTerm[];
  readonly lateBound: number;
  readonly documentLateBound: number;
  /** Places of its first block and document in the arrays below. */
  readonly firstBlock: number;
  readonly firstDocument: number;
  /** Numbers in `present` for each block: a bit for each short list, set where it has an entry. */
  readonly firstMask: number;
  readonly masks: number;
}

/** Memory of the search that is under way; the next one uses it again. */
export const room = {
  scores: new Float64Array(BLOCK_CHUNKS),
  bounds: new Float64Array(0),
  mostOfDocuments: new Float64Array(0),
  parts: new Uint32Array(0),
  order: new Uint32Array(0),
  documents: new Float64Array(0),
  present: new Uint32Array(0),
};

/** What a query may find in its blocks: their bounds in `room`, and their places there from the highest down. */
export interface BoundedBlocks {
  readonly searches: readonly Search[];
  readonly count: number;
  readonly order: Uint32Array;
}

export function boundBlocks(parts: readonly Part[], terms: readonly ScoredTerm[]): BoundedBlocks {
  chooseLate(terms);
  const searches = layOut(parts);
  const count = searches.reduce((sum, { part }) => sum + blocksOf(part.segment.size), 0);
  return { searches, count, order: ordered(count) };
}

function chooseLate(terms: readonly ScoredTerm[]): void {
  let rest = 0;
  for (const { bound, documentBound } of terms) rest += bound + documentBound;
  let left = rest * LATE_SHARE;
  for (const term of terms.toSorted((a, b) => a.bound - b.bound)) {
    left -= term.bound;
    if (left < 0) break;
    term.late = true;
  }
  left = rest * LATE_SHARE_OF_DOCUMENTS;
  for (const term of terms.toSorted((a, b) => a.documentBound - b.documentBound)) {
    left -= term.documentBound;
    if (left < 0) break;
    term.documentLate = true;
  }
}

function layOut(parts: readonly Part[]): Search[] {
  let [blocks, documents, masks] = [0, 0, 0];
  const searches = parts.map((part) => {
    const search = searchOf(part, blocks, documents, masks);
    blocks += blocksOf(part.segment.size);
    documents += part.segment.documents.length;
    masks += search.masks * blocksOf(part.segment.size);
    return search;
  });
  makeRoom(blocks, documents, masks);
  for (const [i, search] of searches.entries()) {
    addDocuments(search);
    addBounds(search, i);
  }
  return searches;
}

function makeRoom(blocks: number, documents: number, masks: number): void {
  if (blocks > room.bounds.length) {
    room.bounds = new Float64Array(blocks);
    room.mostOfDocuments = new Float64Array(blocks);
    room.parts = new Uint32Array(blocks);
    room.order = new Uint32Array(blocks);
  }
  if (documents > room.documents.length) room.documents = new Float64Array(documents);
  if (masks > room.present.length) room.present = new Uint32Array(masks);
  room.bounds.fill(0, 0, blocks);
  room.documents.fill(0, 0, documents);
  room.present.fill(0, 0, masks);
}

function searchOf(part: Part, firstBlock: number, firstDocument: number, firstMask: number): Search {
  const long: PartTerm[] = [];
  const short: PartTerm[] = [];
  const late: PartTerm[] = [];
  let lateBound = 0;
  let documentLateBound = 0;
  for (const one of part.terms) {
    const { term } = one;
    if (term.late) {
      late.push(one);
      lateBound += term.bound;
    } else (one.impacts.most ? long : short).push(one);
    if (term.documentLate) documentLateBound += term.documentBound;
  }
  long.sort((a, b) => b.term.weight - a.term.weight);
  const masks = (short.length + 31) >>> 5;
  return {
    part,
    long,
    short,
    late,
    lateBound,
    documentLateBound,
    firstBlock,
    firstDocument,
    firstMask,
    masks,
  };
}

/** Scores of the part's documents, but for the terms that are left for later. */
function addDocuments({ part, firstDocument }: Search): void {
  const scores = room.documents;
  for (const { term, impacts } of part.terms) {
    if (term.documentLate) continue;
    const { documentWeight } = term;
    const { documents, documentValues } = impacts;
    for (let i = 0; i < documents.length; i++) {
      const place = firstDocument + (documents[i] as number);
      scores[place] = (scores[place] as number) + documentWeight * (documentValues[i] as number);
    }
  }
}

/** The most that chunks of each block can have; 0 where nothing can be found. */
function addBounds(search: Search, number: number): void {
  const { part, firstBlock, lateBound, documentLateBound } = search;
  const { bounds, mostOfDocuments, parts } = room;
  const { blocks: selected } = part.selection;
  const blocks = blocksOf(part.segment.size);
  for (const term of search.long) addLongBounds(term, firstBlock);
  for (let i = 0; i < search.short.length; i++) addShortBounds(search, search.short[i] as PartTerm, i);
  parts.fill(number, firstBlock, firstBlock + blocks);
  for (let block = 0; block < blocks; block++) {
    const place = firstBlock + block;
    const own = (bounds[place] as number) + lateBound;
    if (own === 0 || selected?.[block] === 0) {
      bounds[place] = 0;
      continue;
    }
    const most = mostOfBlock(search, block);
    mostOfDocuments[place] = most;
    bounds[place] = own + most + documentLateBound;
  }
}

function addLongBounds({ term, impacts }: PartTerm, first: number): void {
  const { bounds } = room;
  const { weight } = term;
  const { most } = impacts;
  if (!most) return;
  for (let block = 0; block < most.length; block++) {
    bounds[first + block] = (bounds[first + block] as number) + weight * (most[block] as number);
  }
}

function addShortBounds(search: Search, { term, impacts }: PartTerm, number: number): void {
  const { weight } = term;
  const { chunks, values } = impacts;
  const { firstBlock, masks } = search;
  const { bounds, present } = room;
  const firstMask = search.firstMask + (number >>> 5);
  const bit = 1 << (number & 31);
  for (let i = 0; i < chunks.length; ) {
    const block = (chunks[i] as number) >>> BLOCK_SHIFT;
    let gain = values[i] as number;
    for (i++; i < chunks.length && (chunks[i] as number) >>> BLOCK_SHIFT === block; i++) {
      if ((values[i] as number) > gain) gain = values[i] as number;
    }
    bounds[firstBlock + block] = (bounds[firstBlock + block] as number) + weight * gain;
    const mask = firstMask + block * masks;
    present[mask] = (present[mask] as number) | bit;
  }
}

/** The most that a document adds to chunks of the block. */
function mostOfBlock({ part, firstDocument }: Search, block: number): number {
  const { owners, segment } = part;
  const end = Math.min((block + 1) << BLOCK_SHIFT, segment.size);
  const last = firstDocument + (owners[end - 1] as number);
  let most = 0;
  for (let i = firstDocument + (owners[block << BLOCK_SHIFT] as number); i <= last; i++) {
    if ((room.documents[i] as number) > most) most = room.documents[i] as number;
  }
  return most;
}

const LEVELS = 256;
const levels = new Uint32Array(LEVELS + 1);

/** Blocks from the highest bound down, as far as a level tells. */
function ordered(blocks: number): Uint32Array {
  const { bounds, order } = room;
  let most = 0;
  for (let i = 0; i < blocks; i++) if ((bounds[i] as number) > most) most = bounds[i] as number;
  const scale = most > 0 ? (LEVELS - 1) / most : 0;
  levels.fill(0);
  const levelOf = (i: number) => LEVELS - 1 - Math.trunc((bounds[i] as number) * scale);
  for (let i = 0; i < blocks; i++) {
    const next = levelOf(i) + 1;
    levels[next] = (levels[next] as number) + 1;
  }
  for (let level = 1; level < LEVELS; level++) {
    levels[level] = (levels[level] as number) + (levels[level - 1] as number);
  }
  for (let i = 0; i < blocks; i++) {
    const level = levelOf(i);
    const place = levels[level] as number;
    order[place] = i;
    levels[level] = place + 1;
  }
  return order;
}
