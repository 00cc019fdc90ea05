import { relative, sep } from "node:path";
import { changesIn } from "../../ingest/load/watch.ts";
import type { IngestReport, ProgressEvent } from "../../spec/index.ts";
import { checkModels } from "../check-models.ts";
import { exitCodeOf, ingestPaths } from "../ingesting.ts";
import { jsonText } from "../json-text.ts";
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
  await checkModels(config, index);
  return withIndex(
    session,
    { ...config.open, path: index, rebuild: flags.rebuild === true },
    async (konteks) => {
      const show = (report: IngestReport, documents?: readonly Changed[]) => {
        if (session.json) io.print(jsonText({ index, ...report, ...(documents && { documents }) }));
        else if (documents === undefined || hasNews(report))
          io.print([...namesOf(documents ?? []), renderReport(report, io.view)].join("\n"));
      };
      let report = await ingestPaths(session, konteks, config, [path]);
      show(report);
      note(session, `Watching ${shortPath(path, io.notes)}; Ctrl-C ends it.`);
      for await (const _ of changesIn(path, isFolder(path), { signal, ignore: isInside(index, path) })) {
        const documents: Changed[] = [];
        report = await ingestPaths(session, konteks, config, [path], (event) => {
          if (event.type === "document" && event.status !== "unchanged") documents.push(event);
        });
        show(
          report,
          documents.map(({ id, status }) => ({ id, status })),
        );
      }
      return report === undefined ? EXIT.done : exitCodeOf(report);
    },
  );
}

/** What became of a document that is not as it was. */
type Changed = Pick<Extract<ProgressEvent, { type: "document" }>, "id" | "status">;

const MOST_NAMES = 20;

/** What could not be read is named by the report, with its reason. */
function namesOf(documents: readonly Changed[]): readonly string[] {
  const told = documents.filter(({ status }) => status !== "failed" && status !== "unsupported");
  const more = told.length - MOST_NAMES;
  const names = told.slice(0, MOST_NAMES).map(({ id, status }) => `${status} ${id}`);
  return more > 0 ? [...names, `and ${more} more; --json lists all`] : names;
}

function hasNews({ added, replaced, deleted, failed }: IngestReport): boolean {
  return added + replaced + deleted + failed.length > 0;
}

/** The index changes with every run; were its changes told, the watch would never rest. */
function isInside(index: string, folder: string): (name: string) => boolean {
  const below = relative(folder, index);
  return (name) => name === below || name.startsWith(below + sep) || name.startsWith(`.git${sep}`);
}
