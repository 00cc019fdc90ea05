import type {
  AbstainReason,
  CorrectOptions,
  ForeignPassage,
  Hit,
  SearchResult,
  TraceStage,
} from "../../spec/index.ts";
import { type CallBudget, createCallBudget } from "./call-budget.ts";
import type { Caller } from "./caller.ts";
import { buildEvidence } from "./evidence.ts";
import { MAX_OUTPUT_TOKENS } from "./generate.ts";
import { type Graded, gradeEvidence, gradePromptOf, isOutOfTime } from "./grade.ts";
import { excerpt, narrow } from "./narrow.ts";
import type { ReadQuestion } from "./question.ts";

/** Passages that a grading call looks at. */
const GRADED = 10;
/** Deeper than the first search, which did not find it. */
const WIDER = { k: 20, candidates: 300 } as const;

export interface CorrectPorts {
  search(question: string, depth: typeof WIDER): Promise<SearchResult>;
  /** The chunks beside a hit's own. */
  neighbours(hit: Hit): Promise<readonly Hit[]>;
  read(question: string): Promise<ReadQuestion>;
}

export interface Correction {
  readonly hits: readonly Hit[];
  /** Set when there is no use in answering. */
  readonly abstain?: AbstainReason;
}

/** Corrective retrieval for one question: at most one round, within its budget, each step in the trace. */
export interface Corrector {
  /** Grades what was found and, where it does not suffice, looks further. `sure`: the scores say that it suffices. */
  run(hits: readonly Hit[], sure: boolean): Promise<Correction>;
  /** After an answer of "not found" from evidence that was not corrected: looks further once. Undefined: nothing more to try. */
  again(hits: readonly Hit[]): Promise<Correction | undefined>;
}

/**
 * Corrective retrieval: grade the evidence; when it is not sufficient, search for the question in other words or for its
 * parts, deeper than before, look beside the passages that are relevant, ask the user's own source; then keep of each
 * passage what bears on the question, or abstain. Source: Yan et al., "Corrective Retrieval Augmented Generation", 2024.
 */
export function createCorrector(
  question: string,
  ports: CorrectPorts,
  caller: Caller,
  options: CorrectOptions,
  tell: (stage: TraceStage) => void,
  signal: AbortSignal | undefined,
): Corrector {
  const budget = createCallBudget(caller, options);
  const work: Work = { question, ports, caller, options, tell, signal, budget };
  let corrected = false;
  return {
    async run(hits, sure) {
      if (sure) {
        tell({
          stage: "grade",
          ms: 0,
          facts: { grade: "sufficient", why: "by the scores; no call was made" },
        });
        return { hits };
      }
      const graded = await grade(
        work,
        hits,
        hits.length === 0 ? "nothing was found" : "the scores leave it open",
      );
      // Nothing is known of evidence that could not be graded: the answering call is left to judge it.
      if (graded === undefined && hits.length > 0) return { hits };
      if (graded?.grade === "sufficient" || graded?.grade === "conflicting") return { hits };
      corrected = true;
      return finish(work, hits, await further(work, hits, graded));
    },
    async again(hits) {
      if (corrected || budget.refusal("") !== undefined) return undefined;
      const graded = await grade(work, hits, "the answer was that it is not there");
      const more = await further(work, hits, graded && { ...graded, grade: "partial" });
      const news = more.some((hit) => !hits.some(({ chunkId }) => chunkId === hit.chunkId));
      // The second answer is a call as well.
      const kept = await narrowed(work, more, []);
      const prompt = kept.map(({ text }) => text).join("\n");
      if (!news || budget.refusal(prompt, MAX_OUTPUT_TOKENS) !== undefined) return undefined;
      budget.used();
      return { hits: kept };
    },
  };
}

/** What every step of a correction needs. */
interface Work {
  readonly question: string;
  readonly ports: CorrectPorts;
  readonly caller: Caller;
  readonly options: CorrectOptions;
  readonly tell: (stage: TraceStage) => void;
  readonly signal: AbortSignal | undefined;
  readonly budget: CallBudget;
}

async function grade(work: Work, hits: readonly Hit[], why: string): Promise<Graded | undefined> {
  const { question, ports, caller, tell, signal, budget } = work;
  const read = await ports.read(question);
  const { evidence } = buildEvidence(hits.slice(0, GRADED).map((hit) => excerpt(hit, read)));
  const refused = budget.refusal(gradePromptOf(question, evidence));
  const start = performance.now();
  if (refused !== undefined) {
    tell({ stage: "grade", ms: 0, facts: { why, skipped: refused } });
    return undefined;
  }
  const graded = await gradeEvidence(question, evidence, caller, budget.signal(signal)).catch(
    (error: unknown) => {
      if (isOutOfTime(error, signal)) return undefined;
      throw error;
    },
  );
  budget.used();
  const chunks = graded?.relevant.flatMap((number) => evidence[number - 1]?.chunks.map(({ id }) => id) ?? []);
  const facts = graded ? { ...graded, chunks } : { unknown: "the reply holds no grade, or came too late" };
  tell({ stage: "grade", ms: performance.now() - start, facts: { why, ...facts } });
  // Numbers of passages become places in the list of hits.
  const places = hits.flatMap((hit, i) => (chunks?.includes(hit.chunkId) ? [i + 1] : []));
  return graded && { ...graded, relevant: places };
}

async function further(
  work: Work,
  hits: readonly Hit[],
  graded: Graded | undefined,
): Promise<readonly Hit[]> {
  const { question, ports, tell, budget } = work;
  const questions = graded?.questions.length ? graded.questions : partsOf(question);
  const relevant = (graded?.relevant ?? []).flatMap((place) => hits[place - 1] ?? []);
  const lists: (readonly Hit[])[] = [relevant, ...(graded?.grade === "irrelevant" ? [] : [hits])];
  for (const one of questions) {
    if (budget.overTime()) break;
    const start = performance.now();
    const found = await ports.search(one, WIDER);
    lists.push(found.hits);
    tell({
      stage: "search again",
      ms: performance.now() - start,
      facts: { question: one, found: found.hits.length, ...WIDER },
    });
  }
  lists.push(await beside(work, relevant.slice(0, 3)));
  lists.push(await foreign(work));
  return fused(lists);
}

async function beside(work: Work, hits: readonly Hit[]): Promise<readonly Hit[]> {
  const { ports, tell, budget } = work;
  if (hits.length === 0 || budget.overTime()) return [];
  const start = performance.now();
  const found = (await Promise.all(hits.map(ports.neighbours))).flat();
  tell({
    stage: "neighbours",
    ms: performance.now() - start,
    facts: { of: hits.map((hit) => hit.chunkId), found: found.length },
  });
  return found;
}

async function foreign(work: Work): Promise<readonly Hit[]> {
  const { question, options, tell, signal, budget } = work;
  if (!options.more || budget.overTime()) return [];
  const start = performance.now();
  const passages = await options.more(question, signal);
  tell({ stage: "own source", ms: performance.now() - start, facts: { found: passages.length } });
  return passages.map(foreignHit);
}

async function narrowed(
  work: Work,
  hits: readonly Hit[],
  relevant: readonly number[],
): Promise<readonly Hit[]> {
  const { question, ports, tell } = work;
  const read = await ports.read(question);
  const kept =
    relevant.length > 0 ? relevant.flatMap((place) => hits[place - 1] ?? []) : hits.slice(0, WIDER.k);
  const narrower = kept.map((hit) => narrow(hit, read));
  const units = (list: readonly Hit[]) => list.reduce((sum, hit) => sum + hit.text.length, 0);
  tell({
    stage: "narrow",
    ms: 0,
    facts: { passages: kept.length, of: hits.length, characters: units(narrower), before: units(kept) },
  });
  return narrower.map((hit, i) => ({ ...hit, rank: i + 1 }));
}

async function finish(work: Work, before: readonly Hit[], hits: readonly Hit[]): Promise<Correction> {
  const news = hits.some((hit) => !before.some(({ chunkId }) => chunkId === hit.chunkId));
  const graded = news ? await grade(work, hits, "after the correction") : undefined;
  if (graded?.grade === "irrelevant") return { hits, abstain: "off-the-point" };
  // What was found before and is off the point is still the nearest there is.
  if (hits.length === 0)
    return { hits: before, abstain: before.length > 0 ? "off-the-point" : "nothing-retrieved" };
  return { hits: await narrowed(work, hits, graded?.relevant ?? []) };
}

/** Without a model's word a question of several parts is taken apart at its question marks and semicolons. */
export function partsOf(question: string): readonly string[] {
  const parts = question
    .split(/(?<=[?？;；])\s*/u)
    .filter((part) => (part.match(/\p{L}/gu)?.length ?? 0) >= 4);
  return parts.length > 1 ? parts.slice(0, 3) : [question];
}

/** Reciprocal rank fusion of lists of hits. The first was judged and the last is what the user has for such cases: both count three times. */
function fused(lists: readonly (readonly Hit[])[]): readonly Hit[] {
  const scores = new Map<string, { hit: Hit; score: number }>();
  for (const [index, list] of lists.entries()) {
    for (const [place, hit] of list.entries()) {
      const entry = scores.get(hit.chunkId) ?? { hit, score: 0 };
      entry.score += (index === 0 || index === lists.length - 1 ? 3 : 1) / (60 + place + 1);
      scores.set(hit.chunkId, entry);
    }
  }
  return [...scores.values()]
    .sort((a, b) => b.score - a.score)
    .map(({ hit }, i) => ({ ...hit, rank: i + 1 }));
}

function foreignHit({ id, title, uri = id, text }: ForeignPassage, i: number): Hit {
  return {
    chunkId: `${id}#0`,
    documentId: id,
    title,
    uri,
    headings: [],
    lines: [1, text.split(/\r\n|\r|\n/).length],
    start: 0,
    end: text.length,
    text,
    context: { kind: "none", text: "" },
    metadata: {},
    rank: i + 1,
    score: 0,
    scoreKind: "rrf",
    scores: {},
    ranks: {},
  };
}
