import type { DraftQuestion, GoldPassage, Question } from "./types.ts";

/** A search as a log keeps it. */
export interface LoggedSearch {
  readonly query: string;
  /** Chunk ids, best first, with their scores. */
  readonly hits: readonly (readonly [chunkId: string, score: number])[];
}

/** A query of a log that is proposed as a question. */
export interface Proposal {
  readonly question: Question;
  /** How often it was asked. */
  readonly times: number;
}

export interface ProposeOptions {
  /** Most proposals. Default 50. */
  readonly count?: number;
  /** Only queries that found nothing. Default false. */
  readonly empty?: boolean;
  /** Questions that are there already. Default none. */
  readonly there?: readonly Pick<DraftQuestion, "id" | "text">[];
  /** Where a chunk stands; undefined when it is no longer in the index. */
  readonly passageOf: (chunkId: string) => Promise<Omit<GoldPassage, "grade"> | undefined>;
}

/** What a proposed question carries until a person has looked at it. */
export const LOG_TAGS = { all: ["log", "unreviewed"], empty: "no-result" } as const;

/**
 * Proposes the queries of a log as questions: those that found nothing first, then the most frequent. The passage of a
 * question is the first hit of its latest search, as far as it is still there; a query without a hit is proposed as one that
 * the documents do not answer. Both are guesses for a person to judge.
 */
export async function proposeQuestions(
  searches: readonly LoggedSearch[],
  { count = 50, empty = false, there = [], passageOf }: ProposeOptions,
): Promise<readonly Proposal[]> {
  const known = new Set(there.map(({ text }) => sameness(text)));
  const asked = Map.groupBy(
    searches.filter(({ query }) => query.trim() !== ""),
    ({ query }) => sameness(query),
  );
  const found = [...asked]
    .filter(([text]) => !known.has(text))
    .map(([, all]) => ({ times: all.length, latest: all.at(-1) }))
    .flatMap(({ times, latest }) => (latest ? [{ times, latest }] : []))
    .filter(({ latest }) => !empty || latest.hits.length === 0)
    .toSorted((a, b) => rank(a.latest) - rank(b.latest) || b.times - a.times);
  const ids = freeIds(there.map(({ id }) => id));
  const proposals: Proposal[] = [];
  for (const { times, latest } of found.slice(0, count)) {
    const gold = await goldOf(latest, passageOf);
    proposals.push({ question: questionOf(ids(), latest, gold), times });
  }
  return proposals;
}

/** Queries are the same whatever their case and blanks. */
function sameness(text: string): string {
  return text.trim().replace(/\s+/g, " ").toLowerCase();
}

function rank({ hits }: LoggedSearch): number {
  return hits.length === 0 ? 0 : 1;
}

async function goldOf(
  { hits }: LoggedSearch,
  passageOf: ProposeOptions["passageOf"],
): Promise<readonly GoldPassage[]> {
  for (const [chunkId] of hits) {
    const passage = await passageOf(chunkId);
    if (passage) return [{ ...passage, grade: 1 }];
  }
  return [];
}

function questionOf(id: string, { query, hits }: LoggedSearch, gold: readonly GoldPassage[]): Question {
  const none = hits.length === 0;
  const tags = none ? [...LOG_TAGS.all, LOG_TAGS.empty] : [...LOG_TAGS.all];
  return { id, text: query.trim(), gold, tags, unanswerable: none, answers: [] };
}

function freeIds(taken: readonly string[]): () => string {
  const all = new Set(taken);
  let number = taken.length;
  return () => {
    do number++;
    while (all.has(`q${number}`));
    return `q${number}`;
  };
}
