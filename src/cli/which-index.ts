import { resolve, sep } from "node:path";
import type { ResolvedConfig } from "../config/load.ts";
import type { DocumentSummary } from "../spec/index.ts";
import { existingIndex, hasIndex, indexesNear } from "./paths.ts";
import { shortPath } from "./print/layout.ts";
import { indexPath, note, type Session, withIndex } from "./session.ts";

/*
 * One rule for all commands: an index that is there is used, that in the folder that was named before that of the current
 * folder; and whichever is used without having been named is told.
 */

/** The index that is read when no folder was named: that of the current folder, or the only one near it. */
export function readIndex(session: Session, config: ResolvedConfig, command: string): string {
  return onlyNear(session, config) ?? existingIndex(indexPath(config, session.cwd), session.cwd, command);
}

/** The only index near the current folder, where that has none and none was named. */
export function onlyNear(session: Session, config: ResolvedConfig): string | undefined {
  const { cwd, io } = session;
  if (config.index !== undefined || hasIndex(indexPath(config, cwd))) return undefined;
  const [only, ...more] = indexesNear(cwd);
  if (only === undefined || more.length > 0) return undefined;
  const path = resolve(cwd, only);
  note(session, `No index in this folder; using the one in ${shortPath(path, io.notes)}.`);
  return path;
}

/** The index that a folder or file is asked from, and whether others' documents may be in it. */
export interface AskedIndex {
  readonly path: string;
  readonly shared: boolean;
}

/**
 * That of the folder; else that of the current folder, where the same files were ingested into it; else a new one in the
 * folder. One that is made anew (`--rebuild`) is never that of the current folder, which holds other documents too.
 */
export async function askedIndex(
  session: Session,
  config: ResolvedConfig,
  source: string,
  folder: string,
): Promise<AskedIndex> {
  const { cwd, flags, io } = session;
  const [beside, here] = [indexPath(config, folder), indexPath(config, cwd)];
  if (beside === here) return { path: here, shared: config.index !== undefined };
  if (hasIndex(beside)) {
    if (hasIndex(here))
      note(session, `Using the index in ${shortPath(beside, io.notes)}, not the one in the current folder.`);
    return { path: beside, shared: false };
  }
  if (flags.rebuild === true || !hasIndex(here) || !(await holds(session, here, source)))
    return { path: beside, shared: false };
  note(
    session,
    `Using the index in ${shortPath(here, io.notes)}, which holds ${shortPath(source, io.notes)} already.`,
  );
  return { path: here, shared: true };
}

/** A folder that was asked before has an index in it: who ingests it into another one hears of that. */
export function tellOtherIndex(session: Session, path: string, sources: readonly unknown[]): void {
  for (const source of sources) {
    if (typeof source !== "string" || session.flags.index !== undefined) continue;
    const beside = indexPath({ index: undefined }, source);
    if (beside === path || !hasIndex(beside)) continue;
    const other = shortPath(beside, session.io.notes);
    note(
      session,
      `There is another index in ${other}, which \`konteks ask ${shortPath(source, session.io.notes)}\` uses.`,
    );
  }
}

/** Whether a document is the file, or lies in the folder. */
export function liesIn({ uri }: Pick<DocumentSummary, "uri">, source: string): boolean {
  return uri === source || uri.startsWith(source.endsWith(sep) ? source : source + sep);
}

/** An index that cannot be read is another matter, and is told where it is asked. */
async function holds(session: Session, index: string, source: string): Promise<boolean> {
  const options = { path: index, mustExist: true, readOnly: true };
  const documents = await withIndex(session, options, (konteks) => konteks.documents()).catch(() => []);
  return documents.some((document) => liesIn(document, source));
}
