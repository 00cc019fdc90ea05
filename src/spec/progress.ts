import type { ContextRunReport } from "./contextualize.ts";
import type { Usage } from "./models.ts";

/** What ingest reports while it runs. */
export type ProgressEvent =
  | { readonly type: "start"; readonly documents: number }
  | {
      readonly type: "document";
      readonly id: string;
      /** How it ended: new, replaced, nothing to do, gone from the folder, failed, or a kind of file that cannot be read yet. */
      readonly status: "added" | "replaced" | "unchanged" | "deleted" | "failed" | "unsupported";
      readonly chunks: number;
      readonly done: number;
      readonly documents: number;
      readonly reason?: string;
    }
  | {
      readonly type: "context";
      readonly documentId: string;
      readonly done: number;
      readonly chunks: number;
      /** US dollars that contexts cost so far in this run; left out without a price. */
      readonly cost?: number;
    }
  /** Requests in batches at the provider, and how many of them have ended. */
  | { readonly type: "batch"; readonly items: number; readonly done: number; readonly cost?: number }
  /** Vectors of chunks that are in the index already: of how many they are to be made, and how many are done. */
  | { readonly type: "embed"; readonly chunks: number; readonly done: number }
  | { readonly type: "end"; readonly report: IngestReport };

export type OnProgress = (event: ProgressEvent) => void;

export interface UnreadFile {
  readonly id: string;
  readonly reason: string;
  /** It failed for this reason before and has not changed since, so it was not tried again (`force: true` does). */
  readonly unchanged?: true;
}

export interface IngestReport {
  readonly added: number;
  readonly replaced: number;
  readonly unchanged: number;
  readonly deleted: number;
  /** Files that could not be read or written, with the reason. The rest is in the index. */
  readonly failed: readonly UnreadFile[];
  /** Files of kinds that are not read, with the reason. Not failures. */
  readonly unsupported: readonly UnreadFile[];
  /** Chunks that are in the index without the context or vector that was asked for. */
  readonly incomplete: readonly { readonly chunkId: string; readonly reason: string }[];
  readonly warnings: readonly { readonly id: string; readonly warning: string }[];
  readonly chunks: number;
  /** Chunks that got their vectors after they had been written; left out where there was none. */
  readonly embedded?: number;
  readonly ms: number;
  readonly usage: { readonly contexts: Usage; readonly embeddings: Usage };
  /** What contexts by a model came to; left out when no model writes any. */
  readonly contexts?: ContextRunReport;
}
