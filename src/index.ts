export { createEngine, type EngineParts, type NamedModel } from "./engine.ts";
export { type ChunkTextOptions, chunk, chunkDocument } from "./ingest/chunk/chunk.ts";
export type { Contextualized } from "./ingest/contextualize/contextualize.ts";
export { type ContextualizeOptions, contextualize } from "./ingest/contextualize/stand-alone.ts";
export {
  type StructuralForm,
  type StructuralOptions,
  structuralContext,
} from "./ingest/contextualize/structural.ts";
export { documentFromInput } from "./ingest/load/index.ts";
export { openKonteks } from "./open.ts";
export { type FusedChunk, type FuseOptions, fuse, type RankedList } from "./query/fuse.ts";
export { type LoggedQuery, readQueryLog } from "./query/log.ts";
export * from "./spec/index.ts";
export { parseWhere } from "./util/where.ts";
