import type { Parse } from "./values.ts";

/** One thing that can be set: by a flag, an environment variable, or a key of the configuration file. */
export interface Setting {
  /** Dotted path in the configuration file. */
  readonly key: string;
  /** As commander writes it: `-k, --k <n>`. */
  readonly flag: string;
  readonly variable?: string;
  readonly parse: Parse;
  /** Never shown, only that it is set. */
  readonly secret?: boolean;
  /** What holds when nobody sets it, in words. */
  readonly byDefault: string;
  /** A value for the example in the configuration file, as TypeScript. */
  readonly example: string;
  readonly about: string;
}
