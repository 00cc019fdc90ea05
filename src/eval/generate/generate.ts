import pLimit from "p-limit";
import { z } from "zod";
import type { Konteks, LanguageModel, StoredChunk, Usage } from "../../spec/index.ts";
import { otherLanguage } from "../../text/other-language.ts";
import { findQuote } from "../dataset/quote.ts";
import { openJournal } from "../journal.ts";
import { type PaidCalls, paidCalls } from "../paid.ts";
import type { GoldPassage, Question } from "../types.ts";
import { isCopied, sameQuestion } from "./copied.ts";
import type { PlannedQuestion } from "./plan.ts";
import {
  checkPrompt,
  checkRules,
  checkSchema,
  draftPrompt,
  draftRules,
  draftSchema,
  promptVersion,
} from "./prompts.ts";

export interface GenerateQuestionsOptions {
  readonly konteks: Konteks;
  readonly plan: readonly PlannedQuestion[];
  readonly model: LanguageModel;
  /** Name for messages and the journal, e.g. "anthropic:claude-haiku-4-5". */
  readonly modelId: string;
  /** File of paid replies; a run that was stopped goes on from it. */
  readonly journal: string;
  /** Calls in flight. Default 4. */
  readonly concurrency?: number;
  readonly signal?: AbortSignal;
  readonly onProgress?: (done: number, of: number) => void;
}

/** A question that was not kept, with the reason. */
export interface DroppedQuestion {
  readonly text: string;
  readonly reason: string;
}

export interface GeneratedQuestions {
  readonly questions: readonly Question[];
  readonly dropped: readonly DroppedQuestion[];
  /** Of this run; replies from the journal are not paid for again. */
  readonly usage: Usage;
}

/** Chunks that are looked at for further answers to a question. */
const lookedAt = 6;

const draftShape = z.object({ question: z.string(), answer: z.string(), quotes: z.array(z.string()) });
const checkShape = z.object({ answers: z.array(z.object({ source: z.int(), quote: z.string() })) });

/** Calls and tokens of a plan at most, for a price before anything is paid. Tokens of replies are taken as 150 each. */
export function estimateGeneration(plan: readonly PlannedQuestion[]) {
  const sizes = plan.flatMap(({ chunks }) => chunks.map(({ chunk }) => chunk.tokens));
  const mean = sizes.reduce((total, size) => total + size, 0) / Math.max(1, sizes.length);
  const drafts = sizes.reduce((total, size) => total + size, 0) + 350 * plan.length;
  const checks = plan.length * (lookedAt * mean + 200);
  return { calls: 2 * plan.length, inputTokens: Math.ceil(drafts + checks), outputTokens: 300 * plan.length };
}

/**
 * Asks a model for the planned questions and keeps those that hold: the quotes stand in their chunks, the wording is not
 * the passage's, nobody asked it before, and a second look at what a search finds for it added every other passage that
 * answers (or found one for a question that should have none, which is then dropped).
 * Two calls a question. Errors: those of the model call; what was paid for by then is in the journal.
 */
export async function generateQuestions(options: GenerateQuestionsOptions): Promise<GeneratedQuestions> {
  const journal = openJournal(options.journal);
  try {
    const { model, modelId, signal } = options;
    const calls = paidCalls({ model, modelId, purpose: "question", version: promptVersion, signal }, journal);
    const limit = pLimit(options.concurrency ?? 4);
    let done = 0;
    const outcomes = await Promise.all(
      options.plan.map((planned, index) =>
        limit(async () => {
          const outcome = await makeOne(options.konteks, planned, `g${index + 1}`, calls);
          options.onProgress?.(++done, options.plan.length);
          return outcome;
        }),
      ),
    );
    return { ...withoutDuplicates(outcomes), usage: calls.usage() };
  } finally {
    journal.close();
  }
}

type Outcome = { readonly question: Question } | { readonly dropped: DroppedQuestion };

async function makeOne(
  konteks: Konteks,
  planned: PlannedQuestion,
  id: string,
  calls: PaidCalls,
): Promise<Outcome> {
  const draft = draftShape.safeParse(await calls.ask(draftRules, draftPrompt(planned), draftSchema)).data;
  if (draft === undefined) return drop("", "the model's reply was not of the asked form");
  const { question: text, answer } = draft;
  const own = planned.kind === "unanswerable" ? [] : locate(draft.quotes, planned.chunks);
  const wrong = wrongWith(planned, text, own, draft.quotes);
  if (wrong !== undefined) return drop(text, wrong);
  const more = await otherAnswers(konteks, text, own, planned, calls);
  if (planned.kind === "unanswerable" && more.length > 0) return drop(text, "the documents do answer it");
  const question: Question = {
    id,
    text,
    gold: [...own, ...more],
    tags: [planned.kind],
    unanswerable: planned.kind === "unanswerable",
    answers: answer === "" ? [] : [answer],
  };
  return { question };
}

function drop(text: string, reason: string): Outcome {
  return { dropped: { text, reason } };
}

/** Characters from which on the language of a question is judged where others share its script. */
const LEAST = 60;

function wrongWith(
  { kind, chunks }: PlannedQuestion,
  text: string,
  gold: readonly GoldPassage[],
  quotes: readonly string[],
): string | undefined {
  if (text.trim() === "") return "the question is empty";
  if (chunks.some(({ chunk }) => isCopied(text, chunk.text))) return "it copies the passage's words";
  const others = chunks.map(({ language }) => language && otherLanguage(text, language, LEAST));
  if (others.every(Boolean)) return `it is in another language than the document (${others[0]})`;
  if (kind === "unanswerable") return undefined;
  if (gold.length < quotes.length || gold.length === 0)
    return "a quoted passage does not stand in the source";
  const sources = new Set(gold.map(({ documentId, start }) => chunkAt(chunks, documentId, start)));
  return kind === "comparison" && sources.size < 2 ? "it does not need both passages" : undefined;
}

function chunkAt(chunks: readonly StoredChunk[], documentId: string, at: number): string | undefined {
  return chunks.find(({ chunk }) => chunk.documentId === documentId && chunk.start <= at && at < chunk.end)
    ?.chunk.id;
}

/** Where quotes stand in chunks, as spans of the document; those that stand nowhere are left out. */
function locate(quotes: readonly string[], chunks: readonly StoredChunk[]): readonly GoldPassage[] {
  return quotes.flatMap((quote) => {
    const places = chunks.flatMap(({ chunk }) =>
      findQuote(chunk.text, quote).map(({ start, end }) => ({
        documentId: chunk.documentId,
        start: chunk.start + start,
        end: chunk.start + end,
        grade: 1,
        quote: chunk.text.slice(start, end),
      })),
    );
    return places.slice(0, 1);
  });
}

/** Passages of other chunks that answer as well, so that finding them is not counted as a miss. */
async function otherAnswers(
  konteks: Konteks,
  text: string,
  own: readonly GoldPassage[],
  { kind }: PlannedQuestion,
  calls: PaidCalls,
): Promise<readonly GoldPassage[]> {
  // No single passage answers a comparison.
  if (kind === "comparison") return [];
  const { hits } = await konteks.search(text, { k: lookedAt + own.length });
  const others = hits.filter(
    (hit) =>
      !own.some((gold) => gold.documentId === hit.documentId && gold.start < hit.end && hit.start < gold.end),
  );
  const chunks = await storedChunks(konteks, others.slice(0, lookedAt));
  if (chunks.length === 0) return [];
  const reply = checkShape.safeParse(
    await calls.ask(checkRules, checkPrompt(text, chunks), checkSchema),
  ).data;
  const found = (reply?.answers ?? []).flatMap(({ source, quote }) =>
    locate([quote], chunks.slice(source - 1, source)),
  );
  return found.filter(
    (gold, index) =>
      found.findIndex(
        (each) => each.documentId === gold.documentId && each.start < gold.end && gold.start < each.end,
      ) === index,
  );
}

async function storedChunks(
  konteks: Konteks,
  hits: readonly { readonly documentId: string; readonly chunkId: string }[],
): Promise<readonly StoredChunk[]> {
  const found = hits.map(async ({ documentId, chunkId }) =>
    (await konteks.chunks(documentId)).filter(({ chunk }) => chunk.id === chunkId),
  );
  return (await Promise.all(found)).flat();
}

function withoutDuplicates(outcomes: readonly Outcome[]): Omit<GeneratedQuestions, "usage"> {
  const questions: Question[] = [];
  const dropped: DroppedQuestion[] = [];
  for (const outcome of outcomes) {
    if ("dropped" in outcome) dropped.push(outcome.dropped);
    else {
      const { question } = outcome;
      const twin = questions.find((each) => sameQuestion(each.text, question.text));
      if (twin === undefined) questions.push(question);
      else dropped.push({ text: question.text, reason: `it is the same as ${twin.id}` });
    }
  }
  return { questions, dropped };
}
