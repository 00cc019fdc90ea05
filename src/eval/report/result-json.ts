import { KonteksError } from "../../spec/index.ts";
import type { AnswersResult } from "../answers/run-answers.ts";
import type { Ladder } from "../ladder/ladder.ts";
import { plain } from "../plain.ts";
import type { Sweep } from "../sweep/sweep.ts";

/** 2: costs of a sweep and its figures over all questions, unscored questions and asides of a ladder. */
const version = 2;

interface Kept {
  readonly answers: AnswersResult;
  readonly ladder: Ladder;
  readonly sweep: Sweep;
}

/** A ladder, a sweep or answers as one JSON value, rows and hits included; `readResultJson` reads it back. Models become their names. */
export function resultJson<K extends keyof Kept>(kind: K, result: Kept[K]): string {
  return JSON.stringify({ konteks: kind, version, ...result, ...namesOf(result) }, plain, 2);
}

/** Settings that a sweep names twice are kept once. */
function namesOf(result: Kept[keyof Kept]): { readonly best?: string; readonly taken?: string } {
  if (!("taken" in result) || result.best === undefined || result.taken === undefined) return {};
  return { best: result.best.name, taken: result.taken.name };
}

function withSettings(
  sweep: Omit<Sweep, "best" | "taken"> & { readonly best?: string; readonly taken?: string },
): Sweep {
  const named = (name: string | undefined) => sweep.settings.find((setting) => setting.name === name);
  return { ...sweep, best: named(sweep.best), taken: named(sweep.taken) };
}

export type ReadResult =
  | { readonly kind: "answers"; readonly result: AnswersResult }
  | { readonly kind: "ladder"; readonly result: Ladder }
  | { readonly kind: "sweep"; readonly result: Sweep };

/** What `resultJson` wrote; `at` names it in errors. */
export function readResultJson(text: string, at: string): ReadResult {
  const { konteks, version: found, ...result } = parsed(text, at);
  if (konteks !== "ladder" && konteks !== "sweep" && konteks !== "answers") throw foreign(at);
  if (typeof found !== "number" || found > version) {
    throw new KonteksError("index-newer", `${at} was written by a newer konteks. Update konteks to read it.`);
  }
  if (found < version) {
    throw new KonteksError("wrong-option", `${at} was written by an older konteks. Measure again.`, {
      facts: { at, version: found },
    });
  }
  // Only `resultJson` writes these marks, so the shapes are known.
  const shaped: unknown = result;
  if (konteks === "answers") return { kind: konteks, result: shaped as AnswersResult };
  return konteks === "ladder"
    ? { kind: "ladder", result: shaped as Ladder }
    : { kind: "sweep", result: withSettings(shaped as Parameters<typeof withSettings>[0]) };
}

function parsed(text: string, at: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value === "object" && value !== null) return value as Record<string, unknown>;
  } catch (cause) {
    throw foreign(at, cause);
  }
  throw foreign(at);
}

function foreign(at: string, cause?: unknown): KonteksError {
  return new KonteksError(
    "wrong-option",
    `${at} is no ladder, sweep or answers. Give a file that \`konteks eval ladder --report file.json\`, \`konteks eval sweep\` or \`konteks eval answers\` wrote.`,
    { facts: { at }, cause },
  );
}
