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
  if (typeof value === "string" || (Array.isArray(value) && (value.every(isPath) || value.every(isDocument))))
    return;
  throw wrongKind(name, "a path, a list of paths or a list of documents", value);
}

function listOf(value: readonly unknown[]): string {
  const odd = value.filter((item) => !isPath(item) && !isDocument(item));
  if (odd.length > 0) return `a list with ${kindOf(odd[0])} in it`;
  return value.some(isPath) && value.some(isDocument) ? "a list of both" : "a list";
}

function kindOf(value: unknown): string {
  if (value === null) return "null";
  return Array.isArray(value) ? "a list" : typeof value;
}

function isPath(item: unknown): boolean {
  return typeof item === "string";
}

function isDocument(item: unknown): boolean {
  return typeof item === "object" && item !== null && !Array.isArray(item);
}

function wrongKind(name: string, wanted: string, value: unknown): KonteksError {
  const given = Array.isArray(value) ? listOf(value) : kindOf(value);
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
