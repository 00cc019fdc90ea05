import { KonteksError, type ScoredChunk, type SearchMode, type SearchOptions } from "../spec/index.ts";
import type { ListResult, SearchLists } from "./search.ts";

/** Thresholds that act on the lists. */
export type ListMinimums = Omit<NonNullable<SearchOptions["min"]>, "rerank">;

/**
 * Keeps of every list the chunks that have each score asked for, of at least the minimum. A chunk whose score is not
 * known, since the list did not reach it, does not pass: nothing that is returned is below a threshold.
 *
 * @throws KonteksError `wrong-option` when the list that a threshold belongs to is not searched.
 */
export function applyMinimums(lists: readonly SearchLists[], min: ListMinimums): readonly SearchLists[] {
  const kinds = [
    ["text", min.bm25],
    ["vector", min.cosine],
  ] as const;
  const passing = kinds.flatMap(([list, least]) =>
    least === undefined
      ? []
      : [
          passingIds(
            lists.map((all) => all[list]),
            least,
          ),
        ],
  );
  if (passing.length === 0) return lists;
  const passes = ({ chunkId }: ScoredChunk) => passing.every((ids) => ids.has(chunkId));
  const keep = (list: ListResult) => ("items" in list ? { ...list, items: list.items.filter(passes) } : list);
  return lists.map((all) => ({ ...all, text: keep(all.text), vector: keep(all.vector) }));
}

function passingIds(lists: readonly ListResult[], least: number): ReadonlySet<string> {
  const items = lists.flatMap((list) => ("items" in list ? list.items : []));
  return new Set(items.filter(({ score }) => score >= least).map(({ chunkId }) => chunkId));
}

/** Refuses a threshold on a list that the mode or the index leaves out. */
export function checkMinimums(
  min: NonNullable<SearchOptions["min"]>,
  { mode, hasVectors, reranks }: { mode: SearchMode; hasVectors: boolean; reranks: boolean },
): void {
  for (const [kind, value] of Object.entries(min)) {
    if (value !== undefined && !Number.isFinite(value))
      throw new KonteksError("wrong-option", `The threshold of ${kind} must be a number, not ${value}.`);
  }
  if (min.bm25 !== undefined && mode === "vector")
    throw needless("bm25", "text is not searched in mode vector");
  if (min.cosine !== undefined && mode === "text")
    throw needless("cosine", "vectors are not searched in mode text");
  if (min.cosine !== undefined && !hasVectors) throw needless("cosine", "the index has no vectors");
  if (min.rerank !== undefined && !reranks) throw needless("rerank", "no reranker is chosen (--rerank)");
}

function needless(kind: string, reason: string): KonteksError {
  return new KonteksError(
    "wrong-option",
    `A threshold of ${kind} cannot work here: ${reason}. Leave --min-${kind} out, or change that.`,
    { facts: { kind, reason } },
  );
}
