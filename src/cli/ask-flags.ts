import { type AskOptions, KonteksError } from "../spec/index.ts";

/**
 * Flags of `ask` alone. `--whole` says whether all documents are sent; `--mode` is the search's, by which lists are
 * chosen, in `search` and here alike, and takes the values of `--whole` in other words as well (see `withWhole`).
 */
export const ASK_FLAGS = [
  [
    "--whole <when>",
    "send all documents instead of found passages: auto (when they fit), always, never; default: auto",
  ],
  ["--whole-limit <tokens>", "most tokens of documents that are sent whole; default: 200000"],
  ["--evidence-tokens <n>", "most tokens of passages that are sent; default: 16000"],
  ["--correct", "look again where the passages do not suffice: the default with a model"],
  ["--no-correct", "take what the first search finds: no grading, no second search"],
  ["--correct-calls <n>", "calls for grading and a second answer; default: 3"],
  ["--correct-cost <dollars>", "most that these calls may cost; default: no limit"],
  ["--correct-seconds <n>", "time after which nothing further of it is begun; default: 30"],
  ["--time-limit <seconds>", "give up after so long, with an error; default: no limit"],
  ["--strict", "leave out sentences that could not be verified"],
  ["--provider-citations", "have the provider cite the passages itself, where it does (Anthropic)"],
  ["--continue", "follow up on the last question asked of this index"],
  ["--cost", "show tokens and cost of every call"],
] as const;

/** What was typed as options of `ask`. */
export function askOptions(flags: Readonly<Record<string, unknown>>): AskOptions {
  const wholeLimit = number(flags.wholeLimit, "--whole-limit");
  const evidenceTokens = number(flags.evidenceTokens, "--evidence-tokens");
  const whole = wholeOf(flags.whole);
  const seconds = number(flags.timeLimit, "--time-limit");
  return {
    ...(whole && { whole }),
    ...(wholeLimit !== undefined && { wholeLimit }),
    ...(evidenceTokens !== undefined && { evidenceTokens }),
    ...correctOf(flags),
    ...(seconds !== undefined && { timeLimitMs: 1_000 * seconds }),
    ...(flags.strict === true && { strict: true }),
    ...(flags.providerCitations === true && { providerCitations: true }),
  };
}

/** Ways of answering, as values of `--mode`, with what they are for `--whole`. */
const ANSWER_MODES: Readonly<Record<string, string>> = { auto: "auto", retrieve: "never", whole: "always" };

/** `--mode auto`, `retrieve` and `whole` say how to answer; any other mode is the search's. */
export function withWhole(flags: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  const { mode, ...rest } = flags;
  const whole = ANSWER_MODES[String(mode)];
  return whole === undefined ? flags : { ...rest, whole };
}

const WHOLE = ["auto", "always", "never"] as const;

function wholeOf(value: unknown): (typeof WHOLE)[number] | undefined {
  if (value === undefined) return undefined;
  const known = WHOLE.find((one) => one === value);
  if (known) return known;
  throw new KonteksError(
    "wrong-option",
    `--whole must be one of ${WHOLE.join(", ")}, not "${String(value)}".`,
  );
}

function correctOf(flags: Readonly<Record<string, unknown>>): Pick<AskOptions, "correct"> {
  if (flags.correct === false) return { correct: false };
  const maxCalls = number(flags.correctCalls, "--correct-calls");
  const maxCost = number(flags.correctCost, "--correct-cost");
  const seconds = number(flags.correctSeconds, "--correct-seconds");
  const budget = {
    ...(maxCalls !== undefined && { maxCalls }),
    ...(maxCost !== undefined && { maxCost }),
    ...(seconds !== undefined && { maxMs: 1_000 * seconds }),
  };
  return Object.keys(budget).length > 0 ? { correct: budget } : {};
}

function number(value: unknown, flag: string): number | undefined {
  if (value === undefined) return undefined;
  const read = Number(value);
  if (Number.isFinite(read) && read >= 0 && String(value).trim() !== "") return read;
  throw new KonteksError("wrong-option", `${flag} must be a number from 0, not "${String(value)}".`);
}
