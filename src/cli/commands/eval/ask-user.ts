import { createInterface } from "node:readline/promises";
import { Writable } from "node:stream";
import type { Session } from "../../session.ts";

/** Reads what the user types, line by line; undefined once there is no more. */
export interface Asking {
  ask(question: string): Promise<string | undefined>;
  close(): void;
}

export function startAsking({ io, input, signal }: Session): Asking {
  // The prompt goes through `io`, so that tests and pipes see it where notes are.
  const lines = createInterface({ input, output: new Writable({ write: (_, __, done) => done() }), signal });
  const typed = lines[Symbol.asyncIterator]();
  return {
    async ask(question) {
      io.note(question);
      const next = await typed.next();
      signal.throwIfAborted();
      return next.done ? undefined : next.value;
    },
    close: () => lines.close(),
  };
}

/** Yes or no on a terminal; without one nobody can agree. */
export async function confirm(session: Session, question: string): Promise<boolean> {
  if (session.input.isTTY !== true || session.json) return false;
  const asking = startAsking(session);
  try {
    return /^y(es)?$/i.test(((await asking.ask(`${question} [y/N]`)) ?? "").trim());
  } finally {
    asking.close();
  }
}
