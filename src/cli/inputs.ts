import { readFile } from "node:fs/promises";
import { resolve } from "node:path";
import { buffer } from "node:stream/consumers";
import { isWebAddress } from "../ingest/load/web.ts";
import { type IngestSource, KonteksError } from "../spec/index.ts";
import { existingPath } from "./paths.ts";

export interface InputOptions {
  readonly cwd: string;
  /** A file with a path a line; "-" is standard input. */
  readonly filesFrom?: string | undefined;
  /** What standard input is called, with the ending of its format. Default "stdin". */
  readonly name?: string | undefined;
  /** Default: the standard input of the process. */
  readonly stdin?: NodeJS.ReadableStream;
}

/** What was typed behind `ingest`, as sources: files, folders, globs, web addresses, "-", and lists of paths. */
export async function inputs(
  typed: readonly string[],
  options: InputOptions,
): Promise<readonly IngestSource[]> {
  const { cwd, filesFrom } = options;
  if (typed.includes("-") && filesFrom === "-")
    throw new KonteksError(
      "wrong-option",
      "Standard input is either a document or a list of paths. Use - once.",
    );
  const sources: IngestSource[] = [];
  for (const each of typed) sources.push(each === "-" ? await standardInput(options) : sourceOf(each, cwd));
  if (filesFrom !== undefined) sources.push(await listedPaths(filesFrom, options));
  if (sources.length > 0) return sources;
  throw new KonteksError(
    "wrong-option",
    "There is nothing to ingest. Name a folder, file, glob or web address, - for standard input, or --files-from <file>.",
  );
}

function sourceOf(typed: string, cwd: string): string {
  if (isWebAddress(typed)) return typed;
  // A shell that finds nothing for a pattern hands it on as it was typed.
  return /[*?[{]/.test(typed) ? resolve(cwd, typed) : existingPath(typed, cwd);
}

async function standardInput({ name, stdin = process.stdin }: InputOptions): Promise<IngestSource> {
  const bytes = new Uint8Array(await buffer(stdin));
  return [{ id: name ?? "stdin", bytes }];
}

async function listedPaths(
  file: string,
  { cwd, stdin = process.stdin }: InputOptions,
): Promise<readonly string[]> {
  const text = file === "-" ? await textOf(stdin) : await readFile(existingPath(file, cwd), "utf8");
  // `find -print0` parts paths by a zero character, because it is the only one that no path holds.
  const paths = text.split(text.includes("\0") ? "\0" : /\r?\n/).filter((path) => path.trim() !== "");
  if (paths.length > 0) return paths.map((path) => resolve(cwd, path));
  throw new KonteksError("wrong-option", `The list of paths ${file} is empty. Write a path a line into it.`);
}

async function textOf(stdin: NodeJS.ReadableStream): Promise<string> {
  return (await buffer(stdin)).toString("utf8");
}
