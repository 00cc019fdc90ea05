import type { Konteks, SearchOptions } from "../../spec/index.ts";
import { isWholeDocument, overlap } from "../judge.ts";
import type { QuestionRow } from "../rows.ts";
import type { GoldPassage, Question } from "../types.ts";

/** Each explanation searches several times over; the rest of a long list is left to the steps' own account. */
const EXPLAINED = 50;

/** Why questions with a passage that was not found missed it, by question id: the index's own answer, with its numbers. */
export async function missedReasons(
  konteks: Konteks,
  questions: readonly Question[],
  rows: readonly QuestionRow[],
  search: SearchOptions,
): Promise<Readonly<Record<string, string>>> {
  const byId = new Map(questions.map((question) => [question.id, question]));
  const reasons: Record<string, string> = {};
  for (const row of rows.filter(({ places }) => places.includes(null)).slice(0, EXPLAINED)) {
    const gold = byId.get(row.id)?.gold[row.places.indexOf(null)];
    if (gold === undefined) continue;
    const expect = await expected(konteks, gold);
    const { reason } = await konteks.why(row.text, { ...search, k: row.hits.length || 20, expect });
    reasons[row.id] = reason;
  }
  return reasons;
}

/** The chunk that holds most of a passage. */
async function expected(konteks: Konteks, gold: GoldPassage): Promise<string> {
  if (isWholeDocument(gold)) return gold.documentId;
  const chunks = await konteks.chunks(gold.documentId);
  const [most] = [...chunks].sort((a, b) => overlap(b.chunk, gold) - overlap(a.chunk, gold));
  return most?.chunk.id ?? gold.documentId;
}
