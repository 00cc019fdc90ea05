import type { RuntimeKind } from "../src/models/local/identity.ts";

/** What a process of its own measures of a model. */
export interface LocalSpeedTask {
  /** "ours": as konteks embeds. "runtime": ONNX Runtime alone, fed with ready token ids. */
  readonly what: "ours" | "runtime";
  readonly model: string;
  readonly runtime: RuntimeKind;
  /** Worker threads with a session each, and threads within each session. Ours chooses for itself from their product. */
  readonly workers: number;
  readonly threads: number;
  /** Texts in one run of the model; of "runtime" alone. */
  readonly batch: number;
  readonly texts: readonly string[];
  /** Embedded before the time is taken: what loading leaves behind is not of the pace that goes on. */
  readonly first: readonly string[];
  readonly queries: readonly string[];
}

export interface LocalSpeedResult {
  readonly chunksPerSecond: number;
  /** Processor time of all threads for a chunk, milliseconds. */
  readonly cpuMs: number;
  /** From nothing to the first vector. */
  readonly loadMs: number;
  readonly queryMs: readonly number[];
  /** Resident, once everything was embedded. */
  readonly bytes: number;
}
