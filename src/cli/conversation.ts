import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import type { Environment } from "../config/environment.ts";
import { type Answer, KonteksError, type Turn } from "../spec/index.ts";
import { sha256 } from "../util/hash.ts";

/** Turns that are kept for `ask --continue`. */
const KEPT = 10;

/**
 * Where the last conversation with an index is kept: with the user, not in the index, which may be shared. Undefined
 * without a home folder; then nothing is kept. Source: XDG Base Directory Specification, on state.
 */
function fileOf(index: string, env: Environment): string | undefined {
  const state =
    env.XDG_STATE_HOME ||
    (process.platform === "win32" ? env.LOCALAPPDATA : env.HOME && join(env.HOME, ".local", "state"));
  if (!state) return undefined;
  return join(state, "konteks", "conversations", `${sha256(resolve(index)).slice(0, 24)}.json`);
}

/** The turns of the user's last conversation with this index. */
export function readConversation(index: string, env: Environment): readonly Turn[] {
  const path = fileOf(index, env);
  try {
    const turns: unknown = JSON.parse(readFileSync(path ?? "", "utf8"));
    return Array.isArray(turns) ? turns.filter(isTurn) : [];
  } catch (cause) {
    throw new KonteksError(
      "not-found",
      "There is no conversation to continue. Ask a question without --continue first.",
      { facts: { path }, cause },
    );
  }
}

function isTurn(value: unknown): value is Turn {
  const turn = value as Turn | null;
  return typeof turn?.question === "string" && typeof turn.answer === "string";
}

/** Keeps a question, as it stands alone, with its answer, for this user alone. Where that cannot be written, nothing is kept. */
export function keepTurn(index: string, env: Environment, earlier: readonly Turn[], answer: Answer): void {
  const path = fileOf(index, env);
  if (path === undefined) return;
  const turn: Turn = { question: answer.standalone ?? answer.question, answer: answer.text };
  try {
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
    writeFileSync(path, `${JSON.stringify([...earlier, turn].slice(-KEPT), null, 2)}\n`, { mode: 0o600 });
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code ?? "";
    if (!["EACCES", "EROFS", "EPERM", "ENOENT", "ENOTDIR"].includes(code)) throw error;
  }
}
