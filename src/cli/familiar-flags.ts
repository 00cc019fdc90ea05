/** What other tools call an option, and what it is here. */
const FAMILIAR: Readonly<Record<string, string>> = {
  "-v": "--version",
  "--filter": "--where",
  "--top-k": "--k",
  "--topk": "--k",
  "--limit": "--k",
  "--db": "--index",
  "--database": "--index",
  "--store": "--index",
  "--llm": "--model",
  "--embedder": "--embedding-model",
  "--embeddings": "--embedding-model",
  "--embedding": "--embedding-model",
  "--reranker": "--rerank",
  "--threshold": "--min-cosine, --min-bm25 or --min-rerank",
  "--max-tokens": "--expand-tokens",
  "--output": "--json",
};

/** What an unknown option is likely to mean, however it is spelt; undefined when nothing like it is known. */
export function familiarFlag(option: string): string | undefined {
  return FAMILIAR[option.toLowerCase().replaceAll("_", "-").replace(/=.*/s, "")];
}
