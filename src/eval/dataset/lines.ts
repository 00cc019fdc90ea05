import { readFile } from "node:fs/promises";
import { z } from "zod";
import { KonteksError } from "../../spec/index.ts";

/** A line with where it stands, `file:line`, for messages. */
export interface Line {
  readonly at: string;
  readonly text: string;
}

/** Lines of a text file that are not blank, without a byte order mark. Fails with the file's name when it cannot be read. */
export async function readLines(path: string): Promise<readonly Line[]> {
  const text = await readText(path);
  return text
    .split(/\r?\n/)
    .map((line, index) => ({ at: `${path}:${index + 1}`, text: line }))
    .filter((line) => line.text.trim() !== "");
}

export async function readText(path: string): Promise<string> {
  try {
    return (await readFile(path, "utf8")).replace(/^\uFEFF/, "");
  } catch (cause) {
    throw new KonteksError("not-found", `Cannot read ${path}. Check its path and permissions.`, {
      cause,
      facts: { path },
    });
  }
}

/** JSON lines of one shape; the first line that does not fit is named with what is wrong. */
export async function readJsonLines<T>(
  path: string,
  shape: z.ZodType<T>,
): Promise<readonly (T & { at: string })[]> {
  const lines = await readLines(path);
  return lines.map((line) => ({ ...parseLine(line, shape), at: line.at }));
}

function parseLine<T>(line: Line, shape: z.ZodType<T>): T {
  const result = shape.safeParse(parseJson(line));
  if (result.success) return result.data;
  throw lineError(line.at, z.prettifyError(result.error).replace(/\s*\n\s*/g, " "));
}

function parseJson(line: Line): unknown {
  try {
    return JSON.parse(line.text);
  } catch (cause) {
    throw lineError(line.at, "not a line of JSON", cause);
  }
}

/** An error that names file and line. */
export function lineError(at: string, wrong: string, cause?: unknown): KonteksError {
  return new KonteksError("wrong-option", `${at}: ${wrong}. Correct the line and run again.`, {
    facts: { at },
    ...(cause === undefined ? {} : { cause }),
  });
}
