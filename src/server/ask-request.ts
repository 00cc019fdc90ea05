import type { AnswerOptions, AskOptions, SearchOptions } from "../spec/index.ts";
import type { AskRequest } from "./request.ts";
import { searchOptions } from "./search-request.ts";

/** What a question asks for, over what holds for every question here. */
export function askOptions(
  asked: Omit<AskRequest, "question">,
  search: SearchOptions,
  ask: AnswerOptions,
): AskOptions {
  const {
    history,
    whole,
    wholeLimit,
    evidenceTokens,
    correct,
    strict,
    thresholds,
    timeLimitMs,
    ...searched
  } = asked;
  return {
    ...ask,
    ...searchOptions(searched, search),
    ...(history && { history }),
    ...(whole && { whole }),
    ...(wholeLimit !== undefined && { wholeLimit }),
    ...(evidenceTokens !== undefined && { evidenceTokens }),
    ...(correct !== undefined && { correct }),
    ...(strict !== undefined && { strict }),
    ...(thresholds && { thresholds: { ...ask.thresholds, ...thresholds } }),
    ...(timeLimitMs !== undefined && { timeLimitMs }),
  };
}
