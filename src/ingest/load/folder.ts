import type { Dirent, Stats } from "node:fs";
import { readdir, readFile, realpath, stat } from "node:fs/promises";
import { basename, dirname, isAbsolute, join, relative, resolve, sep } from "node:path";
import type { Ignore } from "ignore";
import { KonteksError } from "../../spec/index.ts";
import { isOwnFile } from "./own-files.ts";
import { compareIds, toId } from "./paths.ts";
import type { FoundFile } from "./types.ts";

export interface ListOptions {
  /** Follow `.gitignore` and `.konteksignore`, also those of the folders above up to the repository. Default true. */
  readonly gitignore?: boolean;
  /** Told of a folder or file that cannot be read, which is then left out. Without it that is an error. */
  readonly onUnreadable?: (id: string, reason: string) => void;
  /** Told of a symbolic link that leads nowhere or out of the root, and is left out. Those that stay inside are no loss. */
  readonly onLink?: (id: string, reason: string) => void;
  readonly signal?: AbortSignal;
}

/** Rules of one folder; paths are tested relative to it. */
interface Rules {
  readonly folder: string;
  readonly ignore: Ignore;
}

/** Folders that are never documents. Names that start with a dot are left out as well: they are tools' own. */
const skipped = new Set(["node_modules"]);

/**
 * The files below a folder, by id; a root that is a file gives that file. Symbolic links are not followed: what they
 * point at inside the root is found at its own place, and what lies outside was not asked for.
 *
 * @throws KonteksError "not-found", "unreadable", "aborted"
 */
export async function listFiles(root: string, options: ListOptions = {}): Promise<readonly FoundFile[]> {
  const absolute = resolve(root);
  const stats = await statRoot(absolute);
  if (stats.isFile()) return [{ path: absolute, id: basename(absolute), size: stats.size }];
  const follow = options.gitignore !== false;
  const found: FoundFile[] = [];
  const pending = [{ folder: absolute, rules: follow ? await rulesAbove(absolute) : [] }];
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    if (options.signal?.aborted)
      throw new KonteksError("aborted", "Listing files was stopped. Run it again to go on.");
    const rules = follow ? [...(await rulesOf(next.folder)), ...next.rules] : [];
    for (const entry of await entriesOf(next.folder, absolute, options)) {
      const path = join(next.folder, entry.name);
      if (isSkipped(entry) || isIgnored(path, entry.isDirectory(), rules)) continue;
      if (entry.isSymbolicLink()) await tellLink(path, absolute, options);
      else if (entry.isDirectory()) pending.push({ folder: path, rules });
      else if (entry.isFile() && !(await isOwnFile(path)))
        found.push(...(await describe(path, absolute, options)));
    }
  }
  return found.sort((a, b) => compareIds(a.id, b.id));
}

async function statRoot(path: string): Promise<Stats> {
  try {
    const stats = await stat(path);
    if (stats.isFile() || stats.isDirectory()) return stats;
  } catch (cause) {
    if (!isMissing(cause)) {
      throw new KonteksError("unreadable", `${path} cannot be read. Check its permissions.`, {
        facts: { path },
        cause,
      });
    }
    throw new KonteksError("not-found", `There is no file or folder ${path}. Check the path.`, {
      facts: { path },
      cause,
    });
  }
  throw new KonteksError("unreadable", `${path} is neither a file nor a folder. Name one of these.`, {
    facts: { path },
  });
}

function isSkipped(entry: Dirent): boolean {
  const { name } = entry;
  return name.startsWith(".") || skipped.has(name) || OWN_FILE.test(name);
}

async function tellLink(path: string, root: string, { onLink }: ListOptions): Promise<void> {
  if (onLink === undefined) return;
  const id = idOf(path, root);
  const target = await realpath(path).catch(() => undefined);
  if (target === undefined)
    return onLink(id, `"${id}" is a symbolic link that leads nowhere. Remove it, or put back what it named.`);
  const below = relative(await realpath(root), target);
  if (below === ".." || below.startsWith(`..${sep}`) || isAbsolute(below))
    onLink(id, `"${id}" is a symbolic link that leads out of the folder. Ingest ${target} by itself.`);
}

/** The configuration of konteks is about the documents, not one of them. */
const OWN_FILE = /^konteks\.config\.(?:ts|mts|js|mjs|json)$/;

async function entriesOf(folder: string, root: string, options: ListOptions): Promise<readonly Dirent[]> {
  try {
    return await readdir(folder, { withFileTypes: true });
  } catch (cause) {
    if (isMissing(cause) && folder !== root) return [];
    refuse(folder, root, options, cause);
    return [];
  }
}

async function describe(path: string, root: string, options: ListOptions): Promise<readonly FoundFile[]> {
  try {
    return [{ path, id: idOf(path, root), size: (await stat(path)).size }];
  } catch (cause) {
    // A name that is not UTF-8 comes with replacement characters, under which nothing is found.
    if (!isMissing(cause) || path.includes("\uFFFD")) refuse(path, root, options, cause);
    return [];
  }
}

function refuse(path: string, root: string, options: ListOptions, cause: unknown): void {
  const reason = `${path} cannot be read. Check its name and permissions, or list it in .konteksignore.`;
  if (options.onUnreadable === undefined)
    throw new KonteksError("unreadable", reason, { facts: { path }, cause });
  options.onUnreadable(idOf(path, root), reason);
}

function idOf(path: string, root: string): string {
  return toId(relative(root, path), sep);
}

/** Rules of the folders above, nearest first, up to the one that holds `.git`; none when there is no repository. */
async function rulesAbove(root: string): Promise<readonly Rules[]> {
  const collected: Rules[] = [];
  let folder = root;
  while (!(await holds(folder, ".git"))) {
    const parent = dirname(folder);
    if (parent === folder) return [];
    collected.push(...(await rulesOf(parent)));
    folder = parent;
  }
  // A root that the repository ignores was named all the same, so it is wanted.
  return collected.filter((rules) => !rules.ignore.ignores(`${toId(relative(rules.folder, root), sep)}/`));
}

async function rulesOf(folder: string): Promise<readonly Rules[]> {
  const texts = await Promise.all(
    [".gitignore", ".konteksignore"].map((name) => readIfThere(join(folder, name))),
  );
  if (texts.every((text) => text === "")) return [];
  const { default: createIgnore } = await import("ignore");
  return [{ folder, ignore: createIgnore({ ignorecase: false }).add(texts.join("\n")) }];
}

/** As in git: the rules of the nearest folder that say anything about a path decide. */
function isIgnored(path: string, isFolder: boolean, rules: readonly Rules[]): boolean {
  for (const { folder, ignore } of rules) {
    const verdict = ignore.test(toId(relative(folder, path), sep) + (isFolder ? "/" : ""));
    if (verdict.ignored) return true;
    if (verdict.unignored) return false;
  }
  return false;
}

async function readIfThere(path: string): Promise<string> {
  try {
    return await readFile(path, "utf8");
  } catch (cause) {
    if (isMissing(cause) || hasCode(cause, "EISDIR")) return "";
    throw new KonteksError("unreadable", `${path} cannot be read. Check its permissions.`, {
      facts: { path },
      cause,
    });
  }
}

async function holds(folder: string, name: string): Promise<boolean> {
  return stat(join(folder, name)).then(
    () => true,
    () => false,
  );
}

function isMissing(cause: unknown): boolean {
  return hasCode(cause, "ENOENT") || hasCode(cause, "ENOTDIR");
}

function hasCode(cause: unknown, code: string): boolean {
  return cause instanceof Error && "code" in cause && cause.code === code;
}
