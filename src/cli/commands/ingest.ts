import type { Konteks } from "../../spec/index.ts";
import { checkModels } from "../check-models.ts";
import { exitCodeOf, ingestPaths } from "../ingesting.ts";
import { inputs } from "../inputs.ts";
import { indexName, writableIndex } from "../paths.ts";
import { count, shortPath } from "../print/layout.ts";
import { renderReport } from "../print/report.ts";
import { configOf, indexPath, note, printJson, type Session, withIndex } from "../session.ts";
import { tellOtherIndex } from "../which-index.ts";

export async function run(session: Session, args: readonly string[]): Promise<number> {
  const { cwd, io, flags, json, quiet } = session;
  const config = await configOf(session);
  const { filesFrom, name } = flags;
  const sources = await inputs(args, {
    cwd,
    ...(typeof filesFrom === "string" && { filesFrom }),
    ...(typeof name === "string" && { name }),
    stdin: session.input,
  });
  const path = writableIndex(indexPath(config, cwd), indexName(cwd));
  await checkModels(config, path);
  return withIndex(session, { ...config.open, path, rebuild: flags.rebuild === true }, async (konteks) => {
    const report = await ingestPaths(session, konteks, config, sources);
    if (json) printJson(session, { index: path, ...report });
    else if (!quiet || exitCodeOf(report) !== 0) io.print(renderReport(report, io.view));
    if (flags.rebuild === true) await tellKept(session, konteks);
    const holds = report.added + report.replaced + report.unchanged > 0;
    if (holds) note(session, `The index is in ${shortPath(path, io.notes)}. ${next(path, cwd, io)}`);
    tellOtherIndex(session, path, sources);
    return exitCodeOf(report);
  });
}

function next(path: string, cwd: string, io: Session["io"]): string {
  const index = path === indexPath({ index: undefined }, cwd) ? "" : ` --index ${shortPath(path, io.notes)}`;
  return `Next: konteks ask "your question"${index}`;
}

/** An index made anew keeps what was paid for: contexts and vectors live in a file beside it. */
async function tellKept(session: Session, konteks: Konteks): Promise<void> {
  const { path, contexts, vectors } = (await konteks.status()).contextStore;
  if (contexts + vectors === 0) return;
  const kept = `${count(contexts, "context")} and ${count(vectors, "vector")}`;
  note(session, `Kept in ${shortPath(path, session.io.notes)}: ${kept} that were paid for.`);
}
