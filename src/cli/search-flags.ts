import { choice, type Parse, positiveNumber, wholeNumber, words } from "../config/values.ts";
import { parseWhere } from "../query/where.ts";
import { type ExpandOptions, KonteksError, type SearchOptions } from "../spec/index.ts";
import type { Session } from "./session.ts";

/** Flags of commands that search, beside the settings of the search. */
export const SEARCH_FLAGS = [
  ["--where <filter>", `only chunks of documents that fit: 'year >= 2023 and company = "ACME"'`],
  ["--fusion <method>", "how lists are fused: scores, rrf; default: by kind of embedding"],
  [
    "--rerank [model]",
    "rerank the hits: built-in (no model), local:<model>, cohere:rerank-v3.5, openai-compatible:<model>",
  ],
  ["--rerank-depth <n>", "candidates that are reranked; default: 50 built-in, 20 local, 150 hosted"],
  ["--min-bm25 <x>", "only hits with at least this BM25 score"],
  ["--min-cosine <x>", "only hits with at least this cosine"],
  ["--min-rerank <x>", "only hits with at least this score of the reranker"],
  [
    "--must-match <what>",
    "put chunks first that hold them: phrases (quoted, the default), identifiers, none",
  ],
  ["--within-documents <n>", "find the best n documents first, then chunks in them"],
  ["--per-document <n>", "at most n hits of a document"],
  ["--fold <share>", "fold chunks that say so much of the same, 0 to 1"],
  ["--mmr <x>", "spread the hits: 1 by score alone, 0 by difference alone"],
  ["--also <words>", "the same question in other words, searched as well"],
  ["--timeout <ms>", "leave out stages that are not done by then"],
] as const;

/** Flags of `search` about what is shown. */
export const SHOW_FLAGS = [
  ["--expand <what>", "show what surrounds a hit: a number of chunks before and after, section, document"],
  ["--expand-tokens <n>", "most tokens of an expanded hit; default: 2000"],
  ["--explain", "show what each score is the sum of"],
] as const;

/** What those flags say to the engine. */
export function searchFlags({ flags }: Pick<Session, "flags">): SearchOptions {
  const read = <T>(name: string, flag: string, parse: Parse): T | undefined =>
    flags[name] === undefined ? undefined : (parse(String(flags[name]), flag) as T);
  const min = present({
    bm25: read<number>("minBm25", "--min-bm25", anyNumber),
    cosine: read<number>("minCosine", "--min-cosine", anyNumber),
    rerank: read<number>("minRerank", "--min-rerank", anyNumber),
  });
  const also = read<string>("also", "--also", words);
  return present({
    filter: flags.where === undefined ? undefined : parseWhere(String(flags.where)),
    fusion: read<"rrf" | "scores">("fusion", "--fusion", choice(["scores", "rrf"])),
    rerank: rerankOf(flags, read("rerankDepth", "--rerank-depth", wholeNumber(1))),
    min: Object.keys(min).length > 0 ? min : undefined,
    mustMatch: read<"none">("mustMatch", "--must-match", choice(["phrases", "identifiers", "none"])),
    withinDocuments: read<number>("withinDocuments", "--within-documents", wholeNumber(1)),
    perDocument: read<number>("perDocument", "--per-document", wholeNumber(1)),
    fold: read<number>("fold", "--fold", positiveNumber),
    mmr: read<number>("mmr", "--mmr", positiveNumber),
    phrasings: also === undefined ? undefined : [also],
    timeoutMs: read<number>("timeout", "--timeout", positiveNumber),
    expand: expandOf(flags.expand, read("expandTokens", "--expand-tokens", wholeNumber(1))),
    explain: flags.explain === true ? true : undefined,
  });
}

const anyNumber: Parse = (text, name) => {
  const value = Number(text);
  if (text.trim() !== "" && Number.isFinite(value)) return value;
  throw new KonteksError("wrong-option", `${name} must be a number, not '${text}'.`, {
    facts: { option: name },
  });
};

function rerankOf({ rerank }: Session["flags"], depth: number | undefined): SearchOptions["rerank"] {
  if (rerank === undefined && depth === undefined) return undefined;
  const model = typeof rerank === "string" ? rerank : "built-in";
  return { model, ...(depth !== undefined && { depth }) };
}

function expandOf(what: unknown, tokens: number | undefined): ExpandOptions | undefined {
  if (what === undefined) return undefined;
  const budget = tokens === undefined ? {} : { tokens };
  if (what === "section" || what === "document") return { [what]: true, ...budget };
  if (/^\d+$/.test(String(what))) return { neighbours: Number(what), ...budget };
  throw new KonteksError(
    "wrong-option",
    `--expand must be a number, section or document, not '${String(what)}'.`,
    {
      facts: { option: "--expand", value: what },
    },
  );
}

/** Without the keys that nobody set. */
function present<T extends object>(options: T): { [K in keyof T]: Exclude<T[K], undefined> } {
  return Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined)) as {
    [K in keyof T]: Exclude<T[K], undefined>;
  };
}
