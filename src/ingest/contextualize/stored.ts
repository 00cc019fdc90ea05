import type { Chunk, Context, Document, StoredContext } from "../../spec/index.ts";
import type { ContextRun } from "./contextualize.ts";
import type { Target } from "./plan.ts";
import { documentHash, keysOf } from "./recipe.ts";
import type { ContextKeeper, Settings } from "./settings.ts";

export interface LookedUp {
  /** By chunk; undefined where a context is wanted. */
  readonly found: readonly (Context | undefined)[];
  readonly targets: readonly Target[];
  /** What was found under another id. */
  readonly copies: readonly StoredContext[];
}

/** What is paid for already: under the document's id, or, of a document with the very same text, under another. */
export function lookUp(
  { contextStore, recipe }: Pick<Settings, "contextStore" | "recipe">,
  document: Document,
  chunks: readonly Chunk[],
  run: ContextRun | undefined,
): LookedUp {
  const hash = documentHash(document);
  const keys = keysOf(document.id, chunks, recipe.id);
  const copies: StoredContext[] = [];
  const isGood = (stored: StoredContext | undefined): stored is StoredContext =>
    stored !== undefined && (run?.renewStale !== true || stored.documentHash === hash);
  const found = keys.map((key) => {
    const own = contextStore.get(key);
    if (isGood(own)) return contextOf(own);
    const { chunkHash, recipe } = key;
    const other = contextStore.find?.({ chunkHash, recipe, documentHash: hash });
    if (!isGood(other)) return undefined;
    copies.push({ ...other, documentId: document.id });
    return contextOf(other);
  });
  const targets = chunks.flatMap((chunk, index) => {
    const key = keys[index];
    return key !== undefined && found[index] === undefined ? [{ chunk, key, index }] : [];
  });
  return { found, targets, copies };
}

/** The same, with copies of what stands under another id, so that they stay when the other document goes. */
export function lookUpAndKeep(...input: Parameters<typeof lookUp>): LookedUp {
  const found = lookUp(...input);
  keep(input[0].contextStore, found.copies);
  return found;
}

/** Notes which contexts the document uses from now on, so that stale ones can be told. */
export function noteUse(
  { contextStore, recipe }: Pick<Settings, "contextStore" | "recipe">,
  document: Document,
  chunks: readonly Chunk[],
): void {
  contextStore.use?.({
    documentId: document.id,
    documentHash: documentHash(document),
    recipe: recipe.id,
    chunkHashes: keysOf(document.id, chunks, recipe.id).map(({ chunkHash }) => chunkHash),
  });
}

function contextOf({ text, model }: StoredContext): Context {
  return { kind: "llm", text, model };
}

export function keep(store: ContextKeeper, contexts: readonly StoredContext[]): void {
  if (contexts.length === 0) return;
  if (store.putAll) store.putAll(contexts);
  else for (const context of contexts) store.put(context);
}
