import { KonteksError } from "../spec/index.ts";

/** What the simulated model provider puts before everything it writes. */
const mark = "[simulated]";

/** Whether a context or an answer was written by the simulated provider, which knows nothing of the document. */
export function isSimulated(context: string): boolean {
  return context.trimStart().startsWith(mark);
}

/** Refuses answers that nobody gave. */
export function refuseSimulatedAnswers(answers: readonly string[]): void {
  const simulated = answers.filter(isSimulated).length;
  if (simulated === 0) return;
  throw new KonteksError(
    "wrong-option",
    `${simulated} answers were written by the simulated provider, so their figures say nothing about a real model. Ask a real model, or none.`,
    { facts: { simulated } },
  );
}

/** Refuses figures that rest on simulated contexts: they would be taken for what a real model brings. */
export function refuseSimulated(contexts: number, allowed: boolean | undefined): void {
  if (contexts === 0 || allowed === true) return;
  throw new KonteksError(
    "wrong-option",
    `${contexts} contexts were written by the simulated provider, so their figures say nothing about a real model. Write the contexts with a real model, or leave the LLM step out.`,
    { facts: { contexts } },
  );
}
