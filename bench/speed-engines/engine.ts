import type { SpeedDocument } from "../speed-corpus.ts";

/** A query as every engine is given it. */
export interface SpeedQuery {
  readonly text: string;
  readonly vector: readonly number[];
  /** Only documents of this group: 1 of 100. */
  readonly group?: number;
}

/** A document with the vectors of its chunks. */
export interface EmbeddedDocument extends SpeedDocument {
  readonly vectors: readonly Float32Array[];
}

/** One way to store and search the same chunks; ids are `<document>#<ordinal>`. */
export interface SpeedEngine {
  /** Version and settings that differ from its defaults, without `efforts`. */
  readonly settings: string;
  build(documents: AsyncIterable<EmbeddedDocument>): Promise<void>;
  open(): Promise<void>;
  /** Best first; undefined where the engine does not do it. */
  readonly text?: (query: SpeedQuery, limit: number) => Promise<readonly string[]>;
  readonly vector?: (query: SpeedQuery, limit: number) => Promise<readonly string[]>;
  /** Writes documents in the place of those with their ids; done when it would survive the end of the process. */
  readonly upsert?: (documents: readonly EmbeddedDocument[]) => Promise<void>;
  /**
   * Settings of the vector search as text: what the engine's documentation advises, then such as find more, each more than
   * the one before; none where all that there is is found.
   */
  readonly efforts?: readonly string[];
  /** Takes one of `efforts` by its place; at first that is 0. */
  readonly useEffort?: (effort: number) => Promise<void>;
  /** Milliseconds of `build` that went into analysing text, where the engine's caller does that. */
  readonly analysisMs?: () => number;
  close(): Promise<void>;
}

/** `folder` is the engine's own; `peers` is where packages of others are installed. */
export type OpenEngine = (folder: string, peers: string) => Promise<SpeedEngine>;

/** The exported parts of a package that is installed for the benchmark only. */
export async function peer<T>(peers: string, name: string): Promise<T> {
  const { createRequire } = await import("node:module");
  const { pathToFileURL } = await import("node:url");
  const file = createRequire(`${peers}/package.json`).resolve(name);
  return (await import(pathToFileURL(file).href)) as T;
}

export function peerVersion(peers: string, name: string): string {
  const { readFileSync } = process.getBuiltinModule("node:fs");
  const manifest = JSON.parse(readFileSync(`${peers}/node_modules/${name}/package.json`, "utf8"));
  return `${name} ${manifest.version}`;
}
