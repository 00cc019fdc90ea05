import { relative, sep } from "node:path";
import { changesIn } from "../../ingest/load/watch.ts";
import type { IngestReport } from "../../spec/index.ts";
import { exitCodeOf, ingestPaths } from "../ingesting.ts";
import { existingPath, indexName, isFolder, writableIndex } from "../paths.ts";
import { shortPath } from "../print/layout.ts";
import { renderReport } from "../print/report.ts";
import { configOf, EXIT, indexPath, note, type Session, withIndex } from "../session.ts";

/** Ingests, then ingests anew whenever something changes, until Ctrl-C. */
export async function run(session: Session, args: readonly string[]): Promise<number> {
  const { cwd, io, flags, signal } = session;
  const config = await configOf(session);
  const path = existingPath(args[0] ?? ".", cwd);
  const index = writableIndex(indexPath(config, cwd), indexName(cwd));
  return withIndex(
    session,
    { ...config.open, path: index, rebuild: flags.rebuild === true },
    async (konteks) => {
      const show = (report: IngestReport, first: boolean) => {
        if (session.json) io.print(JSON.stringify({ index, ...report }));
        else if (first || hasNews(report)) io.print(renderReport(report, io.view));
      };
      let report = await ingestPaths(session, konteks, config, [path]);
      show(report, true);
      note(session, `Watching ${shortPath(path, io.notes)}; Ctrl-C ends it.`);
      for await (const _ of changesIn(path, isFolder(path), { signal, ignore: isInside(index, path) })) {
        report = await ingestPaths(session, konteks, config, [path]);
        show(report, false);
      }
      return report === undefined ? EXIT.done : exitCodeOf(report);
    },
  );
}

function hasNews({ added, replaced, deleted, failed }: IngestReport): boolean {
  return added + replaced + deleted + failed.length > 0;
}

/** The index changes with every run; were its changes told, the watch would never rest. */
function isInside(index: string, folder: string): (name: string) => boolean {
  const below = relative(folder, index);
  return (name) => name === below || name.startsWith(below + sep) || name.startsWith(`.git${sep}`);
}
