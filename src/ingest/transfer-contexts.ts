import {
  type DocumentSummary,
  type ImportedContext,
  type ImportReport,
  KonteksError,
  type StoredContext,
} from "../spec/index.ts";
import { documentHash, keysOf } from "./contextualize/recipe.ts";
import type { IngestParts } from "./parts.ts";

/** The contexts of this index's model and prompt; without a model all there are. */
export function exportContexts({ contextStore, recipe }: IngestParts): Iterable<StoredContext> {
  return contextStore.contexts(recipe);
}

type ByText = Extract<ImportedContext, { readonly chunk: string }>;
type ByNumber = Extract<ImportedContext, { readonly chunkId: string }>;

/**
 * What is there stays: an imported context never takes the place of one that was paid for. Contexts that give no more of
 * their chunk than its number are taken for a document as a whole, and only when there are as many as it has chunks: else
 * it was cut elsewhere, and they would come to stand at the wrong chunks.
 */
export async function importContexts(
  parts: IngestParts,
  contexts: Iterable<ImportedContext>,
): Promise<ImportReport> {
  const intake = createIntake(parts);
  const documents = createDocuments(parts);
  const numbered = new Map<string, ByNumber[]>();
  for (const one of contexts) {
    if ("recipe" in one) intake.take(one);
    else if ("chunkId" in one) addNumbered(numbered, one);
    else intake.take((await documents(one.documentId))?.byText(one), one.documentId);
  }
  for (const [documentId, ones] of numbered) {
    const document = await documents(documentId);
    if (document !== undefined && document.chunks !== ones.length)
      intake.otherwiseCut({ documentId, contexts: ones.length, chunks: document.chunks });
    else for (const one of ones) intake.take(document?.byNumber(one), one.chunkId);
  }
  return intake.report();
}

function addNumbered(numbered: Map<string, ByNumber[]>, one: ByNumber): void {
  const { documentId } = placeOf(one.chunkId);
  const before = numbered.get(documentId);
  if (before) before.push(one);
  else numbered.set(documentId, [one]);
}

/** `report.md#3`, as chunks are called here, or `report_chunk_3`, as in the published data. */
function placeOf(chunkId: string): { readonly documentId: string; readonly ordinal: number } {
  const match = /^(.*)(?:#|_chunk_)(\d+)$/.exec(chunkId);
  return match === null
    ? { documentId: chunkId, ordinal: -1 }
    : { documentId: match[1] ?? "", ordinal: Number(match[2]) };
}

/** Keeps contexts and counts what became of them. */
function createIntake({ contextStore, recipe }: IngestParts) {
  const counts = { imported: 0, known: 0, notUsed: 0 };
  const unmatched: string[] = [];
  const otherwiseCut: ImportReport["otherwiseCut"][number][] = [];
  return {
    /** Undefined: no chunk fits; it is then listed under its name. */
    take(context: StoredContext | undefined, name = ""): void {
      if (context === undefined) return void unmatched.push(name);
      if (context.recipe !== recipe) counts.notUsed += 1;
      const isKnown = contextStore.get(context) !== undefined;
      counts[isKnown ? "known" : "imported"] += 1;
      if (!isKnown) contextStore.put(context);
    },
    otherwiseCut: (one: ImportReport["otherwiseCut"][number]) => void otherwiseCut.push(one),
    report: (): ImportReport => ({ ...counts, unmatched, otherwiseCut }),
  };
}

interface KnownDocument {
  readonly chunks: number;
  byText(one: ByText): StoredContext | undefined;
  byNumber(one: ByNumber): StoredContext | undefined;
}

/** The documents of the index, each read once; also by the end of their id (`corpus.jsonl/doc_1`), where only one ends so. */
function createDocuments(parts: IngestParts): (id: string) => Promise<KnownDocument | undefined> {
  const known = new Map<string, Promise<KnownDocument | undefined>>();
  let ids: Promise<readonly DocumentSummary[]> | undefined;
  const idOf = async (name: string) => {
    ids ??= parts.store.listDocuments();
    const all = (await ids).map(({ id }) => id);
    const ending = all.filter((id) => id.endsWith(`/${name}`));
    return all.includes(name) || ending.length !== 1 ? name : (ending[0] ?? name);
  };
  return (name) => {
    const found = known.get(name) ?? idOf(name).then((id) => readDocument(parts, id));
    known.set(name, found);
    return found;
  };
}

async function readDocument({ store, recipe }: IngestParts, id: string): Promise<KnownDocument | undefined> {
  if (recipe === undefined) throw noRecipe();
  const record = await store.getDocument(id);
  if (record === undefined) return undefined;
  const stored = await store.chunksOf(id);
  const chunks = stored.map(({ chunk }) => chunk);
  const keys = keysOf(id, chunks, recipe);
  const hash = documentHash(record.document);
  const at = (index: number, one: ByText | ByNumber): StoredContext | undefined => {
    const key = keys[index];
    if (key === undefined) return undefined;
    const { context: text, model = "imported" } = one;
    const createdAt = new Date().toISOString();
    return { ...key, text, model, documentHash: hash, createdAt, policy: "imported" };
  };
  return {
    chunks: chunks.length,
    byText: (one) =>
      at(
        chunks.findIndex(({ text }) => text.trim() === one.chunk.trim()),
        one,
      ),
    byNumber: (one) =>
      at(
        chunks.findIndex(({ ordinal }) => ordinal === placeOf(one.chunkId).ordinal),
        one,
      ),
  };
}

function noRecipe(): KonteksError {
  return new KonteksError(
    "wrong-option",
    "This index is made without a context model, so that no context of a model has a place in it. " +
      "Make it with --context-model, and with --max-cost 0 if no call is to be made.",
  );
}
