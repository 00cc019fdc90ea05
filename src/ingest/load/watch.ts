import { type FSWatcher, watch } from "node:fs";
import { basename, dirname } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { KonteksError } from "../../spec/index.ts";

export interface WatchOptions {
  readonly signal: AbortSignal;
  /** Milliseconds without a change before the changes are told together. Default 500. */
  readonly debounceMs?: number;
  /** Paths whose changes are not told: the index itself, which changes with every run. */
  readonly ignore?: (path: string) => boolean;
}

/** Programs save in several steps; a change that never rests is told all the same after so many waits. */
const mostWaits = 20;

/**
 * Waits for changes in a file or folder and everything below it: gives once for each burst of changes, when it has been
 * quiet for a moment. Ends when the signal is given.
 *
 * @throws KonteksError "unreadable" when the system cannot watch it
 */
export async function* changesIn(
  path: string,
  isFolder: boolean,
  options: WatchOptions,
): AsyncGenerator<void> {
  const { signal, debounceMs = 500, ignore = () => false } = options;
  let changes = 0;
  let wake: (() => void) | undefined;
  const changed = (name: string) => {
    if (ignore(name)) return;
    changes++;
    wake?.();
  };
  const watcher = open(path, isFolder, changed);
  const stop = () => wake?.();
  signal.addEventListener("abort", stop);
  try {
    while (!signal.aborted) {
      if (changes === 0) {
        await new Promise<void>((go) => {
          wake = go;
          if (signal.aborted) go();
        });
        continue;
      }
      await untilQuiet(() => changes, debounceMs, signal);
      changes = 0;
      if (!signal.aborted) yield;
    }
  } finally {
    signal.removeEventListener("abort", stop);
    watcher.close();
  }
}

async function untilQuiet(changes: () => number, debounceMs: number, signal: AbortSignal): Promise<void> {
  for (let wait = 0; wait < mostWaits && !signal.aborted; wait++) {
    const before = changes();
    await sleep(debounceMs, undefined, { signal }).catch(() => undefined);
    if (changes() === before) return;
  }
}

function open(path: string, isFolder: boolean, changed: (name: string) => void): FSWatcher {
  try {
    // A file is replaced by its editor, and the watch would stay with the old one: its folder is watched.
    const watcher = watch(isFolder ? path : dirname(path), { recursive: isFolder }, (_, name) => {
      if (isFolder || name === null || name === basename(path)) changed(name ?? "");
    });
    // A folder that goes away while it is looked at is a change like any other.
    watcher.on("error", () => changed(""));
    return watcher;
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new KonteksError(
      "unreadable",
      `${path} cannot be watched (${reason}). Run ingest from time to time instead.`,
      {
        facts: { path },
        cause,
      },
    );
  }
}
