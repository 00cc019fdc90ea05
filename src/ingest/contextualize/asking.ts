import { type GenerateReply, generate } from "../../llm/ai.ts";
import { isFatalForModel, isOutage, isTooLong } from "../../llm/errors.ts";
import { costOf } from "../../llm/prices.ts";
import type { PromptBlock } from "../../llm/prompt.ts";
import type { Document } from "../../spec/index.ts";
import type { Fault } from "./check.ts";
import type { ContextRun } from "./contextualize.ts";
import { questionTokens } from "./estimate.ts";
import type { Lane } from "./lanes.ts";
import { mostTokens, type Part, promptOf, type Target } from "./plan.ts";
import { GROUP_TOOL } from "./prompt-grouped.ts";
import { noteThinking, replyLimit, type Settings } from "./settings.ts";
import { createWarmth, noWarmth } from "./warmth.ts";

export interface Question {
  readonly targets: readonly Target[];
  readonly document: Document;
  readonly signal: AbortSignal | undefined;
  readonly run: ContextRun | undefined;
}

/** A call that was answered. */
export interface Answered {
  readonly reply: GenerateReply;
  /** US dollars; undefined without a price. */
  readonly cost: number | undefined;
  /** Tokens that its prompt was expected to have, by `estimateTokens`. */
  readonly expectedInput: number;
  readonly ms: number;
}

export type Outcome =
  | Answered
  | { readonly error: string; readonly cause?: unknown }
  | { readonly aborted: true };

/** One call over a front. */
export type Call = (question: Question) => Promise<Outcome>;

/** Makes the calls of one document. */
export interface Asking {
  over(part: Part): Call;
  /** What came of a call that was paid for: a context or more, or this fault. */
  came(fault: Fault | undefined, run: ContextRun | undefined): void;
  /** Forget a failure that the document's calls shared. */
  reopen(): void;
  /** How many calls there are going to be; and that there are no more. */
  expect(calls: number): void;
  close(): void;
}

/** A document's calls are given up after this many were lost to outages, each tried several times. */
const mostOutages = 3;
/** And the run after so many documents in a row: the next would wait as long, for nothing. */
const mostGivenUp = 3;

/** Such replies hold nothing; what is wrong with others, the next one may not share. */
const EMPTY: ReadonlySet<Fault["kind"]> = new Set(["blank", "cut-off", "refusal"]);
/** A document is given up after so many of them in a row, beyond those that were under way at once, and the run after so many. */
const mostEmpty = 12;
const mostEmptyInRun = 48;

export function createAsking(settings: Settings, lane: Lane): Asking {
  const state: State = { outages: 0, empty: 0, fatal: undefined };
  return {
    over(part) {
      const warmth = part.cache === false ? noWarmth : createWarmth(lifetimes[part.cache]);
      return async (question) => {
        await warmth.ready();
        return lane.run(() => warmth.run(() => ask(settings, state, part, question)), warmth.isCold());
      };
    },
    came: (fault, run) => noteReply(settings, state, fault, run),
    reopen() {
      state.fatal = undefined;
    },
    expect: lane.expect,
    close: lane.close,
  };
}

const lifetimes = { "5m": 5 * 60_000, "1h": 60 * 60_000 } as const;

interface State {
  outages: number;
  empty: number;
  /** Why no further call of the document can succeed. */
  fatal: string | undefined;
}

async function ask(settings: Settings, state: State, part: Part, question: Question): Promise<Outcome> {
  const { signal, run, targets } = question;
  if (signal?.aborted) return { aborted: true };
  const stopped = state.fatal ?? run?.stopped ?? unlimited(settings, run);
  if (stopped !== undefined) return { error: stopped };
  const prompt = promptOf(part, targets, settings.recipe);
  const limit = replyLimit(settings, question.document.language, targets.length);
  const highest = highestCost(settings, part, prompt, limit);
  if (run && !(await run.budget.reserve(highest))) {
    run.stopped = `The highest cost of $${run.budget.maxCost} leaves no room for another call.`;
    return { error: run.stopped };
  }
  let spent = 0;
  const begun = performance.now();
  try {
    const model = await settings.loadModel();
    const reply = await generate({ model, ...requestOf(settings, part, prompt, limit), signal });
    const cost = costOf(reply.usage, settings.price, { lifetime: part.cache || "5m" });
    spent = cost ?? 0;
    if (run) run.givenUp = 0;
    noteThinking(settings, reply, limit);
    const expectedInput = expectedInputOf(settings, part, targets, false);
    return { reply, cost, expectedInput, ms: performance.now() - begun };
  } catch (error) {
    return failureOf(state, error, question);
  } finally {
    run?.budget.settle(highest, spent);
  }
}

/** A highest cost can only be kept with a price; without one nothing is called. */
export function unlimited(
  { price, modelId }: Pick<Settings, "price" | "modelId">,
  run: ContextRun | undefined,
): string | undefined {
  if (run === undefined || !Number.isFinite(run.budget.maxCost)) return undefined;
  if (run.budget.maxCost === 0) return "No call may be made at a highest cost of $0.";
  return price === undefined
    ? `${modelId} has no price here, so that a highest cost cannot be kept. Give one (contextPrices), or no highest cost.`
    : undefined;
}

function requestOf(settings: Settings, part: Part, prompt: string, maxOutputTokens: number) {
  const { modelId, retrier, graceMs = 30_000 } = settings;
  return {
    modelId,
    graceMs,
    retrier,
    ...partsOfPrompt(settings, part, prompt),
    maxOutputTokens,
    ...(part.grouped && { schema: GROUP_TOOL.schema }),
  };
}

/** Front and question, as the recipe places them; the same for a call and for an item of a batch. */
export function partsOfPrompt({ recipe, facts }: Settings, part: Part, prompt: string) {
  const shared = part.calls.length > 1;
  const front: PromptBlock[] = [
    { text: part.front, shared, ...(part.cache !== false && { cache: part.cache }) },
  ];
  return {
    ...(recipe.prompt.place === "user" ? { front } : { system: front }),
    prompt,
    ...(facts.effort && { reasoning: "low" as const }),
  };
}

/** Tokens of the whole prompt by `estimateTokens`: what the model's own count is laid beside. */
export function expectedInputOf(
  { recipe, planning }: Settings,
  part: Part,
  targets: readonly Target[],
  batch: boolean,
): number {
  return Math.round(part.frontTokens / planning.tokenFactor) + questionTokens(part, targets, recipe, batch);
}

/**
 * What a call can cost at most: everything written to the cache, and the longest reply. Tokens are counted on the safe
 * side, so that the limit holds for tokenizers that count more than most. US dollars.
 */
export function highestCost(settings: Settings, part: Part, prompt: string, limit: number): number {
  const cacheWriteTokens = part.kept ? part.mostFrontTokens : 0;
  const inputTokens = part.mostFrontTokens + mostTokens(prompt, settings.planning.tokenFactor);
  const usage = { calls: 1, inputTokens, outputTokens: limit, cacheReadTokens: 0, cacheWriteTokens };
  return costOf(usage, settings.price, { lifetime: part.cache || "5m" }) ?? 0;
}

function failureOf(state: State, error: unknown, { signal, run }: Question): Outcome {
  if (signal?.aborted) return { aborted: true };
  const sentence = error instanceof Error ? error.message : String(error);
  if (isOutage(error)) state.outages += 1;
  const down = state.outages === mostOutages;
  if (isFatalForModel(error) || isTooLong(error) || down) state.fatal = sentence;
  if (run !== undefined) stopRun(run, isFatalForModel(error), down, sentence);
  return { error: sentence, cause: error };
}

/** A wrong key meets every document alike, and so does a provider that is down. */
function stopRun(run: ContextRun, fatal: boolean, down: boolean, sentence: string): void {
  if (down) run.givenUp = (run.givenUp ?? 0) + 1;
  if (fatal || (run.givenUp ?? 0) >= mostGivenUp) run.stopped ??= sentence;
}

/** A model that writes nothing is not asked about every chunk there is. */
function noteReply(
  { modelId, concurrency = 10 }: Settings,
  state: State,
  fault: Fault | undefined,
  run: ContextRun | undefined,
): void {
  const isEmpty = fault !== undefined && EMPTY.has(fault.kind);
  state.empty = isEmpty ? state.empty + 1 : 0;
  if (run) run.empty = isEmpty ? (run.empty ?? 0) + 1 : 0;
  const because = (replies: number) =>
    `${modelId} was paid for ${replies} replies in a row that hold no context (${fault?.reason}). Try another model, or run again.`;
  const most = Math.max(mostEmpty, concurrency + 2);
  if (state.empty >= most) state.fatal ??= because(state.empty);
  const mostInRun = Math.max(mostEmptyInRun, most);
  if (run && (run.empty ?? 0) >= mostInRun) run.stopped ??= because(run.empty ?? 0);
}
