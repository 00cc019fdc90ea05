// Runs in a thread of its own: reads, cuts and indexes the documents that it is sent.
import { parentPort } from "node:worker_threads";
import type { Embedder } from "../spec/index.ts";
import { heapAfterTask } from "../util/thread-heap.ts";
import type { ThreadReply } from "../util/threads.ts";
import { structurally, withoutContext } from "./contextualize/contextualize.ts";
import { embedChunks } from "./embed-chunks.ts";
import { toSend } from "./load/threads.ts";
import { chunksOf, withWarnings } from "./prepare.ts";
import type { Indexing, PrepareTask } from "./prepare-apart.ts";
import { type Packed, type Prepared, pack, transferable } from "./prepared.ts";
import { type Reading, readDocument } from "./read.ts";
import { analyzeChunk } from "./write.ts";

parentPort?.on("message", async (task: PrepareTask) => {
  const reply = await answer(task);
  parentPort?.postMessage(reply, "result" in reply ? transferable(reply.result) : []);
});

async function answer(task: PrepareTask): Promise<ThreadReply<Packed>> {
  try {
    const result = pack(await prepare(task));
    return { result, heap: heapAfterTask() };
  } catch (error) {
    return { error: toSend(error) };
  }
}

async function prepare({ reading, chunk, indexing }: PrepareTask): Promise<Prepared> {
  const document = withWarnings(await readDocument(here(reading)));
  // What may loop is over.
  parentPort?.postMessage({ step: "read" } satisfies ThreadReply<Packed>);
  const chunks = chunksOf(document, undefined, chunk);
  if (indexing === undefined) return { document, chunks };
  const contextualize = indexing.contexts === "structural" ? structurally() : withoutContext;
  const contextualized = await contextualize({ document, chunks });
  const { contexts } = contextualized;
  const embedder = await embedderOf(indexing.embedder);
  const embedded = await embedChunks(document, chunks, contexts, { embedder });
  const fields = chunks.map((one, i) =>
    analyzeChunk(document, one, contexts[i] ?? { kind: "none", text: "" }),
  );
  return { document, chunks, indexed: { contextualized, embedded, fields } };
}

/** Not in a further thread. */
function here(reading: Reading): Reading {
  return "input" in reading ? reading : { ...reading, options: { ...reading.options, apart: false } };
}

let made: { readonly of: string; readonly embedder: Embedder } | undefined;

async function embedderOf(portable: Indexing["embedder"]): Promise<Embedder | undefined> {
  if (portable === undefined) return undefined;
  const of = JSON.stringify(portable);
  if (made?.of !== of) {
    const library = (await import(portable.module)) as Record<string, (options: unknown) => Embedder>;
    const make = library[portable.name];
    if (make === undefined) throw new Error(`${portable.module} exports no ${portable.name}`);
    made = { of, embedder: make(portable.options) };
  }
  return made.embedder;
}
