import { CONTEXT_SETTINGS } from "./context-flags.ts";
import type { Run } from "./session.ts";

/** A command as help shows it. Its code is loaded when it is run. */
export interface Command {
  readonly name: string;
  /** As commander writes them: `<path...>`. */
  readonly args: string;
  /** Where `args` cannot say it. */
  readonly usage?: string;
  readonly about: string;
  /** What to know beyond one line. */
  readonly more?: string;
  /** Keys, or groups of keys ending in a dot, of the settings that apply. */
  readonly settings: readonly string[];
  /** Flags of this command alone. */
  readonly flags?: readonly (readonly [flag: string, about: string])[];
  readonly examples: readonly string[];
  readonly load: () => Promise<{ readonly run: Run }>;
}

/** Settings of the model that embeds. */
export const EMBEDDING: readonly string[] = ["embedding", "localThreads", "localMemory", "localCache"];

/** Settings of how documents are indexed. */
export const INDEXING: readonly string[] = [
  "context",
  "contextModel",
  "contextConcurrency",
  ...CONTEXT_SETTINGS,
  ...EMBEDDING,
  "chunk.",
];
