import { createRequire } from "node:module";

const require = createRequire(import.meta.url);

/**
 * A library that is loaded at its first use, without waiting for it: for steps that are not asynchronous. Where waiting
 * is possible, `import()` does the same.
 */
export function lazyLibrary<T>(name: string): () => T {
  let library: T | undefined;
  return () => {
    library ??= require(name) as T;
    return library;
  };
}
