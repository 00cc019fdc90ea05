import type { ExpandOptions, RerankOptions, SearchOptions } from "../spec/index.ts";
import type { SearchDefaults } from "./define.ts";

/** What a configuration says of searches, as the engine takes it. Nothing that nobody set is in it. */
export function searchOptions(search: SearchDefaults): SearchOptions {
  const { rerank, rerankPreset, rerankDepth, rerankTimeoutMs, expand, expandTokens, ...same } = search;
  const reranks = rerankOf(search);
  const wider = expandOf(search);
  return { ...same, ...(reranks !== undefined && { rerank: reranks }), ...(wider && { expand: wider }) };
}

function rerankOf({
  rerank,
  rerankPreset: preset,
  rerankDepth: depth,
  rerankTimeoutMs: timeoutMs,
}: SearchDefaults): SearchOptions["rerank"] {
  // A depth without a reranker means the built-in one; a time limit alone asks for none.
  const wanted = rerank ?? (preset !== undefined || depth !== undefined ? true : undefined);
  if (wanted === undefined || wanted === false) return wanted;
  const options: RerankOptions = {
    ...(wanted !== true && { model: wanted }),
    ...(preset !== undefined && { preset }),
    ...(depth !== undefined && { depth }),
    ...(timeoutMs !== undefined && { timeoutMs }),
  };
  return Object.keys(options).length === 0 ? true : options;
}

function expandOf({ expand, expandTokens }: SearchDefaults): ExpandOptions | undefined {
  if (expand === undefined) return undefined;
  const what = typeof expand === "number" ? { neighbours: expand } : { [expand]: true };
  return { ...what, ...(expandTokens !== undefined && { tokens: expandTokens }) };
}
