import type { CommanderError } from "commander";
import { isKonteksError, type KonteksError } from "../spec/errors.ts";
import { familiarFlag } from "./familiar-flags.ts";
import { jsonText } from "./json-text.ts";
import { EXIT } from "./session.ts";

export interface Failure {
  /** For stderr: one line; with `--json` one of JSON, as are those of progress before it. */
  readonly text: string;
  readonly exitCode: number;
}

export interface FailureView {
  readonly json: boolean;
  readonly debug: boolean;
  /** The command that was typed, whose help is named on wrong use. Default: none. */
  readonly command?: string;
}

/** How an error is told: one sentence with the next step, the stack only with `--debug`. */
export function failure(error: unknown, how: FailureView): Failure {
  const { code, message, facts } = told(error, how.command ?? "");
  const exitCode = code === "wrong-option" ? EXIT.wrongUse : EXIT.failed;
  if (how.json) {
    const stack = how.debug ? { stack: stackOf(error) } : {};
    return { text: jsonText({ error: { code, message, facts, ...stack } }), exitCode };
  }
  return { text: `konteks: ${message}${how.debug ? `\n\n${stackOf(error)}` : ""}`, exitCode };
}

export function isCommanderError(error: unknown): error is CommanderError {
  return (
    error instanceof Error &&
    "exitCode" in error &&
    String((error as CommanderError).code).startsWith("commander.")
  );
}

function told(
  error: unknown,
  command: string,
): { code: string; message: string; facts: Readonly<Record<string, unknown>> } {
  if (isKonteksError(error)) return { ...withFlagNames(error), facts: error.facts };
  if (isCommanderError(error))
    return { code: "wrong-option", message: wrongUse(error, command), facts: { problem: error.code } };
  const message = error instanceof Error ? error.message : String(error);
  return {
    code: "unexpected",
    message: `something went wrong that should not: ${oneLine(message)}. Run again with --debug to see where.`,
    facts: {},
  };
}

/** The library speaks of its options; who types commands needs the variable or the key of the file. */
function withFlagNames({ code, message, facts }: KonteksError): { code: string; message: string } {
  const missing = facts.option === "baseUrls";
  const how = " Set OPENAI_COMPATIBLE_BASE_URL, or baseUrls in konteks.config.ts.";
  return { code, message: missing ? message + how : message };
}

/** "error: unknown option '--jsno'\n(Did you mean --json?)" as one sentence with the next step. */
function wrongUse(error: CommanderError, command: string): string {
  const [what = "", ...hints] = error.message.split("\n");
  const familiar = familiarFlag(/unknown option '(.*)'/s.exec(what)?.[1] ?? "");
  const near = hints.length === 0 ? "" : ` ${hints.join(" ").replace(/^\((.*)\)$/, "$1")}`;
  const hint = familiar === undefined ? near : ` Did you mean ${familiar}?`;
  const help = ["konteks", command, "--help"].filter((word) => word !== "").join(" ");
  return `${what.replace(/^error: |\.$/g, "")}.${hint} See \`${help}\`.`;
}

function oneLine(text: string): string {
  return text.replace(/\s+/g, " ").replace(/\.$/, "");
}

function stackOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const cause = error.cause === undefined ? "" : `\nCaused by: ${stackOf(error.cause)}`;
  return `${error.stack ?? error.message}${cause}`;
}
