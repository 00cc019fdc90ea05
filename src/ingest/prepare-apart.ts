import { availableParallelism } from "node:os";
import type { ChunkOptions, Embedder } from "../spec/index.ts";
import { isUnsendable, processPool } from "../util/processes.ts";
import { comeLater } from "./embed-chunks.ts";
import { fromProcess, guards, plainFile, plainOptions } from "./load/processes.ts";
import type { IngestParts } from "./parts.ts";
import { type Packed, type PackedPart, type Prepared, unpack } from "./prepared.ts";
import type { Reading } from "./read.ts";

export interface PrepareTask {
  readonly reading: Reading;
  readonly chunk: ChunkOptions;
  /** What else is made where the document is read; nothing when a model of another place has a say in it. */
  readonly indexing?: Indexing | undefined;
}

/** What is ready ahead of the rest: that reading is over, then parts of the index. */
export type PrepareStep = "read" | PackedPart;

export interface Indexing {
  readonly contexts: "structural" | "none";
  /** Undefined: no vectors, or those of a model, which come later. */
  readonly embedder: Embedder["portable"];
}

/** Of the first second: a further process costs more than it brings to a few pages. Then there are as many as processors. */
const processes = Math.max(1, availableParallelism() - 1);
const pool = processPool<PrepareTask, Packed, PrepareStep>("./prepare-process", import.meta.url, processes);

/** Documents in work at the same time: processes never wait for the one that writes, and that one has some to write together. */
export const apartConcurrency = availableParallelism() * 2 + 12;

/**
 * Reads and cuts a document in another process, and contextualizes, embeds and analyses it there as far as no model is
 * asked. Undefined when that cannot be done; the same comes of it in this one.
 */
export async function prepareApart(
  reading: Reading,
  parts: IngestParts,
  signal: AbortSignal | undefined,
): Promise<Prepared | undefined> {
  if (!pool.available) return undefined;
  const task = { reading: plainReading(reading), chunk: parts.chunk, indexing: indexingOf(parts) };
  const file = "file" in reading ? reading.file : { id: reading.input.id, path: reading.input.id };
  const limits = "options" in reading ? reading.options : {};
  const ready: PackedPart[] = [];
  const onStep = (step: PrepareStep) => void (step !== "read" && ready.push(step));
  try {
    const packed = await pool.run({
      task,
      onStep,
      ...guards(file, { ...limits, ...(signal && { signal }) }),
    });
    return unpack(packed, ready);
  } catch (error) {
    if (isUnsendable(error)) return undefined;
    throw fromProcess(error);
  }
}

function plainReading(reading: Reading): Reading {
  if ("input" in reading) return reading;
  return { ...reading, file: plainFile(reading.file), options: plainOptions(reading.options) };
}

function indexingOf({ localContexts, embedder }: IngestParts): Indexing | undefined {
  if (localContexts === undefined) return undefined;
  if (embedder && comeLater(embedder)) return { contexts: localContexts, embedder: undefined };
  if (embedder && !embedder.portable) return undefined;
  return { contexts: localContexts, embedder: embedder?.portable };
}
