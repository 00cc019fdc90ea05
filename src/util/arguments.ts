import { KonteksError } from "../spec/index.ts";

/** For programs without types: a wrong kind of value is told by name, before it fails somewhere inside. */
export function checkText(name: string, value: unknown): void {
  if (typeof value === "string") return;
  throw wrongKind(name, "a string", value);
}

/** Options may be left out. */
export function checkOptions(name: string, value: unknown): void {
  if (value === undefined || (typeof value === "object" && value !== null && !Array.isArray(value))) return;
  throw wrongKind(name, "an object", value);
}

export function checkSource(name: string, value: unknown): void {
  const isItem = (item: unknown) => typeof item === "string" || (typeof item === "object" && item !== null);
  if (typeof value === "string" || (Array.isArray(value) && value.every(isItem))) return;
  throw wrongKind(name, "a path, a list of paths or a list of documents", value);
}

function wrongKind(name: string, wanted: string, value: unknown): KonteksError {
  const given = value === null ? "null" : Array.isArray(value) ? "a list" : typeof value;
  return new KonteksError("wrong-option", `${name} must be ${wanted}, not ${given}. Pass ${wanted}.`, {
    facts: { argument: name, given },
  });
}

/** Runs work that a signal may stop; what a stopped signal throws comes out as `KonteksError` "aborted". */
export async function stoppable<T>(
  what: string,
  options: { readonly signal?: AbortSignal | undefined } | undefined,
  work: () => Promise<T>,
): Promise<T> {
  try {
    return await work();
  } catch (cause) {
    if (options?.signal?.aborted !== true || cause instanceof KonteksError) throw cause;
    throw new KonteksError("aborted", `${what} was stopped by its signal. Run it again to go on.`, { cause });
  }
}
