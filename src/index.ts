export { createEngine, type EngineParts, type NamedModel } from "./engine.ts";
export { type ChunkTextOptions, chunk } from "./ingest/chunk/chunk.ts";
export { structuralContext } from "./ingest/contextualize/structural.ts";
export { openKonteks } from "./open.ts";
export { type FusedChunk, type FuseOptions, fuse, type RankedList } from "./query/fuse.ts";
export * from "./spec/index.ts";
