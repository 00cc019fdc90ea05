import type { AskOptions, Konteks } from "../../spec/index.ts";
import { NO_USAGE } from "../../spec/index.ts";
import { fingerprint } from "../../util/hash.ts";
import type { Journal } from "../journal.ts";
import { plain } from "../plain.ts";
import { refuseSkipped } from "../skipped.ts";
import { type AnswerRecord, recordOf } from "./record.ts";

export interface AskedOnce {
  readonly record: AnswerRecord;
  /** It was in the journal: nothing was asked. */
  readonly known: boolean;
}

/**
 * Asks an index each question once: an answer that a model wrote is on disk before the next one is asked for, under all
 * that it depends on (documents, index, settings, model, question), and taken from there the next time.
 */
export async function askingOnce(
  konteks: Konteks,
  options: AskOptions,
  journal: Journal | undefined,
  prices: Parameters<typeof recordOf>[2],
): Promise<(question: string, signal?: AbortSignal) => Promise<AskedOnce>> {
  const index = journal === undefined ? "" : await stateOf(konteks);
  const settings = JSON.stringify(options, plain);
  return async (question, signal) => {
    const key = fingerprint(["answer", index, settings, question]);
    const kept = journal?.get(key);
    // Only this function writes under such keys.
    if (kept !== undefined) return { record: kept.reply as AnswerRecord, known: true };
    const begun = performance.now();
    const answer = await konteks.ask(question, { ...options, ...(signal && { signal }) });
    refuseSkipped(question, answer.notes);
    const record = recordOf(answer, performance.now() - begun, prices);
    if (answer.calls?.length) journal?.put({ key, reply: record, usage: answer.usage ?? NO_USAGE });
    return { record, known: false };
  };
}

/** A name for what is in an index and how it was made. */
async function stateOf(konteks: Konteks): Promise<string> {
  const [{ identity }, documents] = await Promise.all([konteks.status(), konteks.documents()]);
  const contents = documents.map(({ id, contentHash, chunks }) => `${id} ${contentHash} ${chunks}`);
  return fingerprint([JSON.stringify(identity ?? null), ...contents]);
}
