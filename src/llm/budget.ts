import { KonteksError } from "../spec/index.ts";

/** What a run may spend. A call is made only when its highest possible cost still fits. US dollars. */
export interface Budget {
  readonly maxCost: number;
  /** Spent so far, without the calls under way. */
  readonly spent: number;
  /** Waits for calls under way if their end may make room; false when the call would pass the limit. */
  reserve(highest: number): Promise<boolean>;
  /** The same without waiting: false when there is no room now. */
  reserveNow(highest: number): boolean;
  /** The call that was let in is over. */
  settle(highest: number, actual: number): void;
}

export function createBudget(maxCost: number): Budget {
  if (!(maxCost >= 0)) {
    throw new KonteksError("wrong-option", `The highest cost must be a number from 0, not ${maxCost}.`);
  }
  let spent = 0;
  let reserved = 0;
  let waiting: (() => void)[] = [];
  const reserveNow = (highest: number) => {
    if (spent + reserved + highest > maxCost) return false;
    reserved += highest;
    return true;
  };
  return {
    maxCost,
    get spent() {
      return spent;
    },
    async reserve(highest) {
      while (!reserveNow(highest)) {
        if (reserved === 0 || spent + highest > maxCost) return false;
        await new Promise<void>((resolve) => waiting.push(resolve));
      }
      return true;
    },
    reserveNow,
    settle(highest, actual) {
      reserved = Math.max(0, reserved - highest);
      if (reserved < 1e-12) reserved = 0;
      spent += actual;
      const woken = waiting;
      waiting = [];
      for (const wake of woken) wake();
    },
  };
}
