import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type Answer, KonteksError, type Turn } from "../spec/index.ts";

/** Turns that are kept for `ask --continue`. */
const KEPT = 10;

function fileOf(index: string): string {
  return join(index, "conversation.json");
}

/** The turns of the last conversation with this index. */
export function readConversation(index: string): readonly Turn[] {
  try {
    const turns: unknown = JSON.parse(readFileSync(fileOf(index), "utf8"));
    return Array.isArray(turns) ? turns.filter(isTurn) : [];
  } catch (cause) {
    throw new KonteksError(
      "not-found",
      "There is no conversation to continue. Ask a question without --continue first.",
      { facts: { path: fileOf(index) }, cause },
    );
  }
}

function isTurn(value: unknown): value is Turn {
  const turn = value as Turn | null;
  return typeof turn?.question === "string" && typeof turn.answer === "string";
}

/** Keeps a question, as it stands alone, with its answer. An index that cannot be written to has no conversations. */
export function keepTurn(index: string, earlier: readonly Turn[], answer: Answer): void {
  const turn: Turn = { question: answer.standalone ?? answer.question, answer: answer.text };
  try {
    writeFileSync(fileOf(index), `${JSON.stringify([...earlier, turn].slice(-KEPT), null, 2)}\n`);
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code ?? "";
    if (!["EACCES", "EROFS", "EPERM", "ENOENT"].includes(code)) throw error;
  }
}
