// Runs in a process of its own: reads, cuts and indexes the documents that it is sent.
import type { Embedder } from "../spec/index.ts";
import { answerTasks } from "../util/answer-tasks.ts";
import { structurally, withoutContext } from "./contextualize/contextualize.ts";
import { embedChunks } from "./embed-chunks.ts";
import { toSend } from "./load/processes.ts";
import { chunksOf, withWarnings } from "./prepare.ts";
import type { Indexing, PrepareStep, PrepareTask } from "./prepare-apart.ts";
import { type Packed, pack, packPart } from "./prepared.ts";
import { type Reading, readDocument } from "./read.ts";
import { analyzeChunk } from "./write.ts";

/** Chunks whose vectors and terms are sent together. */
const PART = 250;

answerTasks<PrepareTask, Packed, PrepareStep>(prepare, toSend);

async function prepare(
  { reading, chunk, indexing }: PrepareTask,
  step: (step: PrepareStep) => Promise<void>,
): Promise<Packed> {
  const document = withWarnings(await readDocument(here(reading)));
  // What may loop is over.
  await step("read");
  const chunks = chunksOf(document, undefined, chunk);
  if (indexing === undefined) return pack({ document, chunks });
  const contextualize = indexing.contexts === "structural" ? structurally() : withoutContext;
  const contextualized = await contextualize({ document, chunks });
  const embedder = await embedderOf(indexing.embedder);
  for (let start = 0; start < chunks.length; start += PART) {
    const some = chunks.slice(start, start + PART);
    const contexts = contextualized.contexts.slice(start, start + PART);
    const embedded = await embedChunks(document, some, contexts, { embedder });
    const fields = some.map((one, i) => analyzeChunk(document, one, contexts[i] ?? NO_CONTEXT));
    await step(packPart({ embedded, fields }));
  }
  return pack({ document, chunks }, contextualized);
}

const NO_CONTEXT = { kind: "none", text: "" } as const;

/** Not in a further process. */
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
