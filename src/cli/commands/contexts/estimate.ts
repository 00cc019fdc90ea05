import { copyFileSync, existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { ContextEstimate, Konteks } from "../../../spec/index.ts";
import { contextOptions } from "../../context-flags.ts";
import { existingPath, hasIndex } from "../../paths.ts";
import { renderEstimate } from "../../print/estimate.ts";
import { configOf, EXIT, indexPath, printJson, type Session, withIndex } from "../../session.ts";

export async function run(session: Session, args: readonly string[]): Promise<number> {
  const { cwd, io, flags, json, signal } = session;
  const config = await configOf(session);
  const paths = args.map((typed) => existingPath(typed, cwd));
  const index = indexPath(config, cwd);
  const estimates = await inIndex(session, index, config.open, async (konteks) => {
    const found: ContextEstimate[] = [];
    const options = { ...config.ingest, ...contextOptions(session), force: flags.force === true, signal };
    for (const path of paths) found.push(await konteks.estimate(path, options));
    return found;
  });
  if (json) printJson(session, estimates.length === 1 ? estimates[0] : estimates);
  else for (const one of estimates) io.print(renderEstimate(one, io.view, flags.explain === true));
  return EXIT.done;
}

/**
 * An index that is not there is not made for an estimate, and one that would be made anew stays: a copy stands for it, with
 * its settings and the contexts beside it.
 */
async function inIndex<T>(
  session: Session,
  index: string,
  open: object,
  work: (konteks: Konteks) => Promise<T>,
): Promise<T> {
  const rebuild = session.flags.rebuild === true;
  if (hasIndex(index) && !rebuild) return withIndex(session, { ...open, path: index }, work);
  const folder = mkdtempSync(join(tmpdir(), "konteks-estimate-"));
  try {
    for (const name of ["index.sqlite", "index.sqlite-wal", "contexts.sqlite", "contexts.sqlite-wal"]) {
      const file = join(index, name);
      if (existsSync(file)) copyFileSync(file, join(folder, name));
    }
    return await withIndex(session, { ...open, path: folder, rebuild }, work);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
