import type { ModelLoad } from "../spec/index.ts";

/** From here on loading a model is told: milliseconds, and as a share of the command's time. */
const TOLD = { ms: 500, share: 0.2 } as const;

/** What loading models took in a command of `took` milliseconds, a line each; nothing where it was little of the wait. */
export function loadingLines(loads: readonly ModelLoad[], took: number): readonly string[] {
  // Threads load side by side.
  const longest = new Map<string, number>();
  for (const { model, ms } of loads) longest.set(model, Math.max(ms, longest.get(model) ?? 0));
  return [...longest]
    .filter(([, ms]) => ms >= Math.max(TOLD.ms, TOLD.share * took))
    .map(
      ([model, ms]) =>
        `Loading the model ${model} took ${(ms / 1000).toFixed(1)} s: each command loads it anew, a process that stays loads it once.`,
    );
}
