import type { Filter, Reranker, RerankOptions, SearchOptions } from "../spec/index.ts";
import { parseWhere } from "../util/where.ts";
import type { SearchRequest } from "./request.ts";

/** What a request asks for, over what holds for every search here. */
export function searchOptions(
  { where, rerank, weights, min, ...same }: Omit<SearchRequest, "query">,
  own: SearchOptions,
): SearchOptions {
  const filter = both(own.filter, typeof where === "string" ? parseWhere(where) : where);
  const reranks = rerankOf(rerank, own.rerank);
  return {
    ...own,
    ...same,
    ...(filter && { filter }),
    ...(weights && { weights: { ...own.weights, ...weights } }),
    ...(min && { min: { ...own.min, ...min } }),
    ...(reranks !== undefined && { rerank: reranks }),
  };
}

function both(own: Filter | undefined, asked: Filter | undefined): Filter | undefined {
  return own && asked ? { and: [own, asked] } : (own ?? asked);
}

/** `true` and settings alone mean the server's own reranker, the built-in one where it has none. */
function rerankOf(asked: SearchRequest["rerank"], own: SearchOptions["rerank"]): SearchOptions["rerank"] {
  if (asked === undefined) return own;
  if (asked === false || asked === "built-in") return asked;
  const mine = own === undefined || own === false ? true : own;
  return asked === true ? mine : { ...settingsOf(mine), ...asked };
}

function settingsOf(rerank: true | string | Reranker | RerankOptions): RerankOptions {
  if (rerank === true) return {};
  return typeof rerank === "string" || "rerank" in rerank ? { model: rerank } : rerank;
}
