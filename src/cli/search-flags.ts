import type { SearchOptions } from "../spec/index.ts";
import { parseWhere } from "../util/where.ts";
import type { Session } from "./session.ts";

/** Flags of commands that search about this one search; all else is a setting. */
export const QUERY_FLAGS = [
  ["--where <filter>", `only chunks of documents that fit: 'year >= 2023 and company = "ACME"'`],
  ["--also <words>", "the same question in other words, searched as well; may be repeated"],
] as const;

/** Flags of `search` about what is shown. */
export const SHOW_FLAGS = [
  ["--explain", "show what each score is the sum of, and what each stage did"],
] as const;

/** What those flags say to the engine. */
export function queryFlags({ flags }: Pick<Session, "flags">): SearchOptions {
  const { where, also } = flags;
  return {
    ...(where !== undefined && { filter: parseWhere(String(where)) }),
    ...(Array.isArray(also) && { phrasings: also.map(String) }),
    ...(flags.explain === true && { explain: true }),
  };
}
