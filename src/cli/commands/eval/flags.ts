import { resolve } from "node:path";
import { metric } from "../../../eval/metrics/metrics.ts";
import { refuseUnwritable } from "../../../eval/writing.ts";
import { KonteksError } from "../../../spec/index.ts";
import type { Session } from "../../session.ts";

/** The text of a flag, or undefined when it was not typed. */
export function textFlag({ flags }: Pick<Session, "flags">, name: string): string | undefined {
  const value = flags[name];
  return typeof value === "string" ? value : undefined;
}

/** The file of `--save`, checked before the work; undefined when it was not typed. */
export function saveFlag(session: Pick<Session, "flags" | "cwd">): string | undefined {
  const typed = textFlag(session, "save");
  if (typed === undefined) return undefined;
  const path = resolve(session.cwd, typed);
  refuseUnwritable(path);
  return path;
}

/** A flag that may be typed several times. */
export function listFlag({ flags }: Pick<Session, "flags">, name: string): readonly string[] {
  const value = flags[name];
  return Array.isArray(value) ? value.map(String) : typeof value === "string" ? [value] : [];
}

/** A number from 0; undefined when it was not typed. */
export function numberFlag(session: Pick<Session, "flags">, name: string): number | undefined {
  const text = textFlag(session, name);
  if (text === undefined) return undefined;
  const value = Number(text);
  if (text.trim() !== "" && Number.isFinite(value) && value >= 0) return value;
  throw wrongFlag(name, `must be a number from 0, not '${text}'`);
}

/** Names of metrics parted by commas; `known` throws for one that does not exist. Default: those of retrieval. */
export function metricsFlag(
  session: Pick<Session, "flags">,
  name: string,
  known: (metric: string) => unknown = metric,
): readonly string[] | undefined {
  const names = textFlag(session, name)?.split(",");
  for (const each of names ?? []) known(each);
  return names;
}

export function wrongFlag(name: string, problem: string, hint = ""): KonteksError {
  const flag = `--${name}`;
  return new KonteksError("wrong-option", `${flag} ${problem}.${hint}`, { facts: { option: flag } });
}
