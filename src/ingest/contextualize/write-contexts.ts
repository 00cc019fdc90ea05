import { abortedError, isTooLong } from "../../llm/errors.ts";
import { estimateTokens } from "../../llm/estimate-tokens.ts";
import type { Context, StoredContext } from "../../spec/index.ts";
import { type Asking, type Call, unlimited } from "./asking.ts";
import type { ContextFailure, ContextualizeInput, ModelContexts } from "./contextualize.ts";
import { keepSeen } from "./expectation.ts";
import { type DocumentPlan, type Part, planDocument, type Target } from "./plan.ts";
import { documentHash } from "./recipe.ts";
import { judge } from "./replies.ts";
import { contextLimit, freeRun, noteForm, type Settings } from "./settings.ts";
import { keep, lookUpAndKeep, noteUse } from "./stored.ts";
import { createTally, type Tally } from "./tally.ts";

/** Work on one document. */
interface Work {
  readonly settings: Settings;
  readonly asking: Asking;
  readonly input: ContextualizeInput;
  readonly results: (Context | ContextFailure | undefined)[];
  readonly tally: Tally;
  readonly hash: string;
  readonly signal: AbortSignal | undefined;
  done: number;
  /** A store that cannot keep what arrives. */
  broken: { readonly error: unknown } | undefined;
  tooLong: boolean;
}

/** Finds what is paid for, and asks for the rest by the plan. Errors: "aborted", a model that cannot be loaded, those of the store. */
export async function contextualizeDocument(
  settings: Settings,
  asking: Asking,
  given: ContextualizeInput,
): Promise<ModelContexts> {
  const run = given.run ?? freeRun();
  const input = { ...given, run };
  const { document, chunks, signal } = input;
  const { found, targets } = lookUpAndKeep(settings, document, chunks, run);
  noteUse(settings, document, chunks);
  const tally = createTally(settings.price);
  tally.reused(chunks.length - targets.length);
  const work: Work = {
    settings,
    asking,
    input,
    results: [...found],
    tally,
    hash: documentHash(document),
    signal,
    done: chunks.length - targets.length,
    broken: undefined,
    tooLong: false,
  };
  if (work.done > 0) input.onProgress?.(work.done);
  const warnings = targets.length === 0 ? [] : await writeMissing(work, targets).finally(asking.close);
  if (work.broken) throw work.broken.error;
  keepSeen(settings.contextStore, settings.modelId, tally.seen);
  if (signal?.aborted && work.results.includes(undefined)) throw abortedError(signal);
  const contexts = work.results.map((result) => result ?? { error: "No context was made." });
  return { contexts, usage: tally.usage, report: tally.report(document.id), warnings };
}

/** A document that turns out to be longer than the model reads is read in windows, smaller each time. */
async function writeMissing(work: Work, targets: readonly Target[]): Promise<readonly string[]> {
  const { document, chunks, run } = work.input;
  const stopped = run?.storedOnly ?? run?.stopped ?? unlimited(work.settings, run);
  if (stopped !== undefined) {
    for (const target of targets) settle(work, target, { error: stopped });
    return [];
  }
  // A missing key is not the failure of a document.
  await work.settings.loadModel();
  let { planning } = work.settings;
  let missing = targets;
  for (;;) {
    const plan = planDocument(document, chunks, missing, planning);
    work.tooLong = false;
    work.asking.expect(plan.parts.reduce((sum, { calls }) => sum + calls.length, 0));
    await Promise.all(plan.parts.map((part) => writePart(work, plan, part)));
    if (!work.tooLong || planning.frontLimit < 2_000) return cacheWarnings(work, plan);
    const tokens = estimateTokens(document.text) * planning.tokenFactor;
    const longest = Math.min(planning.frontLimit, tokens);
    planning = { ...planning, frontLimit: Math.floor(longest / 2) };
    missing = missing.filter(({ index }) => isMissing(work.results[index]));
    for (const { index } of missing) work.results[index] = undefined;
    work.done = work.results.filter((result) => result !== undefined).length;
    work.asking.reopen();
  }
}

function isMissing(result: Context | ContextFailure | undefined): boolean {
  return result === undefined || "error" in result;
}

function cacheWarnings({ tally, input }: Work, plan: DocumentPlan): readonly string[] {
  const { calls, cacheReadTokens } = tally.usage;
  const expected = plan.parts.some(({ kept }) => kept);
  if (!expected || calls < 2 || cacheReadTokens > 0) return [];
  return [
    `nothing was read from the provider's cache in ${calls} calls for "${input.document.id}"; it was paid for in full each time`,
  ];
}

/** One call until one has succeeded, so that it alone writes the front to the cache; then the rest. */
async function writePart(work: Work, plan: DocumentPlan, part: Part): Promise<void> {
  const ask = work.asking.over(part);
  const queue = [...part.calls];
  if (part.cache !== false || part.calls.length > 1) {
    for (let first = queue.shift(); first !== undefined; first = queue.shift())
      if (await write(work, plan, part, first, ask)) break;
  }
  await Promise.all(queue.map((targets) => write(work, plan, part, targets, ask)));
}

/** Asks for some chunks; true when the call was answered. */
async function write(
  work: Work,
  plan: DocumentPlan,
  part: Part,
  targets: readonly Target[],
  ask: Call,
): Promise<boolean> {
  if (work.signal?.aborted || work.broken) return false;
  const { document } = work.input;
  const outcome = await ask({ targets, document, signal: work.signal, run: work.input.run });
  if ("aborted" in outcome) return false;
  if ("error" in outcome) {
    work.tooLong ||= isTooLong(outcome.cause);
    for (const target of targets) settle(work, target, { error: outcome.error });
    return false;
  }
  const { usage } = outcome.reply;
  const shape = { contexts: targets.length, grouped: part.grouped };
  work.tally.used({ ...outcome, usage, ...shape }, { lifetime: part.cache || "5m" });
  work.input.run?.onSpending?.({ usage, cost: outcome.cost });
  const limit = contextLimit(work.settings, document.language);
  const judged = judge(outcome.reply, part, targets, document, limit);
  if (part.grouped) noteForm(work.settings, targets.length, judged !== undefined);
  if (judged === undefined) await askSmaller(work, plan, part, targets, ask);
  else await keepAndAskAgain(work, plan, part, judged, ask);
  return true;
}

/** A reply for several chunks that cannot be told apart: halves, at last one chunk and its plain text. */
async function askSmaller(
  work: Work,
  plan: DocumentPlan,
  part: Part,
  targets: readonly Target[],
  ask: Call,
): Promise<void> {
  work.tally.fault("form");
  const half = Math.ceil(targets.length / 2);
  if (targets.length === 1) {
    const plain = part.plain();
    await write(work, plan, plain, targets, work.asking.over({ ...plain, cache: false }));
    return;
  }
  const halves = [targets.slice(0, half), targets.slice(half)];
  await Promise.all(halves.map((some) => write(work, plan, part, some, ask)));
}

async function keepAndAskAgain(
  work: Work,
  plan: DocumentPlan,
  part: Part,
  judged: NonNullable<ReturnType<typeof judge>>,
  ask: Call,
): Promise<void> {
  const good = judged.flatMap((one) => ("text" in one ? [one] : []));
  const faults = judged.flatMap((one) => ("fault" in one ? [one.fault] : []));
  work.asking.came(good.length > 0 ? undefined : faults[0], work.input.run);
  const policy = plan.policy === "windowed" ? "windowed" : part.grouped ? "grouped" : "single";
  const { modelId, contextStore } = work.settings;
  const stored = good.map(
    ({ target, text }): StoredContext => ({
      ...target.key,
      text,
      model: modelId,
      documentHash: work.hash,
      createdAt: new Date().toISOString(),
      policy,
    }),
  );
  if (!keepAll(work, () => keep(contextStore, stored))) return;
  work.tally.wrote(policy, good.length);
  for (const { target, text } of good) settle(work, target, { kind: "llm", text, model: modelId });
  const again: Target[] = [];
  for (const one of judged) {
    if (!("fault" in one)) continue;
    work.tally.fault(one.fault.kind);
    const { reason, kind } = one.fault;
    if (one.target.note === undefined) again.push({ ...one.target, note: reason });
    else settle(work, one.target, { error: reason, fault: kind });
  }
  const calls = part.grouped ? (again.length === 0 ? [] : [again]) : again.map((target) => [target]);
  await Promise.all(calls.map((targets) => write(work, plan, part, targets, ask)));
}

/** What cannot be kept is not paid for: nothing more is asked. */
function keepAll(work: Work, store: () => void): boolean {
  try {
    store();
    return true;
  } catch (error) {
    work.broken ??= { error };
    return false;
  }
}

function settle(work: Work, target: Target, result: Context | ContextFailure): void {
  work.results[target.index] = result;
  work.done += 1;
  work.input.onProgress?.(work.done);
}
