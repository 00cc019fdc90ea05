import type { BatchItem, GenerateReply } from "../../llm/ai.ts";
import type { Chunk, Document, StoredBatchItem } from "../../spec/index.ts";
import { type BatchWork, noteKey, type PreparedDocument } from "./batch-work.ts";
import type { Target } from "./plan.ts";
import { documentHash, keysOf } from "./recipe.ts";
import { type Judged, judge } from "./replies.ts";
import { contextLimit, noteForm, noteThinking, replyLimit } from "./settings.ts";
import { keep } from "./stored.ts";

/** Keeps what a request brought; what is wrong with it is said when it is asked for again. */
export function takeResult(work: BatchWork, item: StoredBatchItem, result: BatchItem): void {
  if (result.status !== "succeeded") return;
  const { settings, tally } = work;
  const targets = targetsOf(work, item);
  const document = documentOf(work, item);
  const grouped = item.numbers !== undefined;
  account(work, item, targets.length, result.reply);
  noteThinking(settings, result.reply, replyLimit(settings, document?.language, targets.length));
  const limit = contextLimit(settings, document?.language);
  const judged = judge(result.reply, { grouped }, targets, document, limit);
  if (grouped) noteForm(settings, targets.length, judged !== undefined);
  if (judged !== undefined) {
    keepGood(work, item, judged);
    return;
  }
  tally.fault("form");
  for (const { key } of targets) work.alone.add(noteKey(key.documentId, key.chunkHash));
}

function account(work: BatchWork, item: StoredBatchItem, contexts: number, reply: GenerateReply): void {
  const { settings, tally, run } = work;
  const { usage } = reply;
  const grouped = item.numbers !== undefined;
  const seen = { usage, expectedInput: item.expectedInput, contexts, grouped, ms: undefined };
  const cost = tally.used(seen, { lifetime: "1h", batch: true });
  run.budget.settle(0, cost);
  run.onSpending?.({ usage, cost: settings.price && cost });
}

function keepGood({ settings, tally, notes }: BatchWork, item: StoredBatchItem, judged: readonly Judged[]) {
  const good = judged.flatMap((one) => ("text" in one ? [one] : []));
  const { contextStore, modelId: model } = settings;
  const { documentHash, policy } = item;
  const createdAt = new Date().toISOString();
  keep(
    contextStore,
    good.map(({ target, text }) => ({ ...target.key, text, model, documentHash, createdAt, policy })),
  );
  if (policy !== "imported") tally.wrote(policy, good.length);
  for (const one of judged) {
    if (!("fault" in one)) continue;
    tally.fault(one.fault.kind);
    const key = noteKey(one.target.key.documentId, one.target.key.chunkHash);
    notes.set(key, [...(notes.get(key) ?? []), one.fault.reason]);
  }
}

function documentOf(
  { documents }: BatchWork,
  { documentId, documentHash: hash }: StoredBatchItem,
): Document | undefined {
  const document = documents.get(documentId)?.document;
  return document !== undefined && documentHash(document) === hash ? document : undefined;
}

/** The chunks an item was about; of a document that is not at hand, without their text. */
function targetsOf(work: BatchWork, item: StoredBatchItem): readonly Target[] {
  return item.chunkHashes.map((chunkHash, index) => {
    const ordinal = (item.numbers?.[index] ?? 1) - 1;
    const { documentId } = item;
    const key = { documentId, chunkHash, recipe: work.settings.recipe.id };
    const known = documentOf(work, item) && chunkOf(work, key);
    const chunk = { ...(known ?? unknownChunk(documentId)), ordinal };
    return { chunk, key, index };
  });
}

function chunkOf({ documents, chunks, settings }: BatchWork, key: Target["key"]): Chunk | undefined {
  const prepared = documents.get(key.documentId);
  if (prepared === undefined) return undefined;
  const byHash = chunks.get(key.documentId) ?? chunksByHash(prepared, settings.recipe.id);
  chunks.set(key.documentId, byHash);
  return byHash.get(key.chunkHash);
}

function chunksByHash({ document, chunks }: PreparedDocument, recipe: string): ReadonlyMap<string, Chunk> {
  const keys = keysOf(document.id, chunks, recipe);
  return new Map(chunks.flatMap((chunk, index) => [[keys[index]?.chunkHash ?? "", chunk] as const]));
}

function unknownChunk(documentId: string): Chunk {
  const place = { start: 0, end: 0, lines: [1, 1] as const, headings: [] };
  return { id: "", documentId, ordinal: 0, text: "", tokens: 0, ...place };
}
