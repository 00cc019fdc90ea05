import type { Trace, TraceStage } from "../spec/index.ts";

/** Collects what each stage of a query did and how long it took. */
export interface Tracer {
  /** Runs a stage; `describe` turns its result into the facts that are kept. */
  run<T>(stage: string, work: () => T | Promise<T>, describe: (result: T) => TraceStage["facts"]): Promise<T>;
  /** Notes something that took no time of its own, such as a list that was left out. */
  note(stage: string, facts: TraceStage["facts"]): void;
  stages(): Trace;
}

export function createTracer(now: () => number = () => performance.now()): Tracer {
  const stages: TraceStage[] = [];
  return {
    async run(stage, work, describe) {
      const start = now();
      const result = await work();
      stages.push({ stage, ms: now() - start, facts: describe(result) });
      return result;
    },
    note: (stage, facts) => void stages.push({ stage, ms: 0, facts }),
    stages: () => stages,
  };
}
