import { accessSync, constants, existsSync, readdirSync, statSync } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import { KonteksError } from "../spec/index.ts";
import { didYouMean } from "../util/nearest.ts";

const INDEX_FOLDER = ".konteks";

/** Absolute path of a file or folder the user named; a missing one is told with the nearest name beside it. */
export function existingPath(typed: string, cwd: string): string {
  if (typed.trim() === "") {
    throw new KonteksError(
      "wrong-option",
      "The path is empty. Name a file or folder (`.` is the current one).",
    );
  }
  const path = resolve(cwd, typed);
  if (existsSync(path)) return path;
  const hint = didYouMean(basename(path), siblings(path));
  throw new KonteksError(
    "not-found",
    `There is no file or folder ${typed}.${hint === "" ? " Check the path." : hint}`,
    { facts: { path } },
  );
}

export function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
}

/** Makes sure that an index can be written at `index`; where it cannot, offers a place that can. */
export function writableIndex(index: string, named: string): string {
  if (existsSync(index) && !isFolder(index)) throw isFile(index);
  try {
    accessSync(nearestExisting(index), constants.W_OK);
    return index;
  } catch (cause) {
    const reason = cause instanceof Error && "code" in cause ? String(cause.code) : String(cause);
    throw new KonteksError(
      "read-only",
      `Cannot write an index to ${index} (${reason}). Keep it elsewhere: add \`--index ~/.cache/konteks/${named}\`.`,
      { facts: { path: index }, cause },
    );
  }
}

function nearestExisting(path: string): string {
  return existsSync(path) || path === dirname(path) ? path : nearestExisting(dirname(path));
}

/** The file that makes a folder an index. */
const INDEX_FILE = "index.sqlite";

export function hasIndex(index: string): boolean {
  return existsSync(join(index, INDEX_FILE));
}

/** The index folder, which must hold one; else says how to make it, or where one is. */
export function existingIndex(index: string, cwd: string, command: string): string {
  if (hasIndex(index)) return index;
  if (existsSync(index) && !isFolder(index)) throw isFile(index);
  const found = indexesNear(cwd);
  const make = `ake one with \`konteks ingest <folder>\`, then run \`konteks ${command}\` again.`;
  const next =
    found.length === 0
      ? `M${make}`
      : `There is one in ${found.join(" and ")}: add \`--index ${found[0]}\`. Or m${make}`;
  throw new KonteksError("not-an-index", `There is no index in ${index}. ${next}`, {
    facts: { path: index, found },
  });
}

function isFile(index: string): KonteksError {
  return new KonteksError(
    "not-an-index",
    `${index} is a file; an index is a folder. Name the folder that \`konteks ingest\` wrote to.`,
    { facts: { path: index } },
  );
}

/** Indexes one folder below and in the folders above, as a user would type them. */
export function indexesNear(cwd: string): string[] {
  const below = entries(cwd)
    .map((name) => `./${name}/${INDEX_FOLDER}`)
    .filter((path) => hasIndex(resolve(cwd, path)));
  const above = ["..", "../.."]
    .map((up) => `${up}/${INDEX_FOLDER}`)
    .filter((path) => hasIndex(resolve(cwd, path)));
  return [...below, ...above].slice(0, 3);
}

function siblings(path: string): readonly string[] {
  return entries(dirname(path));
}

function entries(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return []; // a hint is all that would come of it
  }
}

/** A name for an index kept elsewhere: that of the folder. */
export function indexName(folder: string): string {
  return basename(resolve(folder)) || "index";
}
