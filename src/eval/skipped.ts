import { KonteksError } from "../spec/index.ts";

/** Refuses a result of which a model that did not answer was left out: figures would be those of a search without it. */
export function refuseSkipped(question: string, notes: readonly string[]): void {
  const skipped = notes.find((note) => /^(?:rerank|vector search): skipped /.test(note));
  if (skipped === undefined) return;
  const without = skipped.startsWith("rerank") ? "no reranker" : "a search by text alone";
  throw new KonteksError(
    "model-failed",
    `At question "${question}" ${skipped}. The figures would be those of ${without}: run it again once the model answers; what was paid for is kept.`,
    { facts: { question } },
  );
}
