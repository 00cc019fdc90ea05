import { existingIndex } from "../paths.ts";
import { count } from "../print/layout.ts";
import { configOf, EXIT, indexPath, printJson, type Session, withIndex } from "../session.ts";
import { unknownDocument } from "./show.ts";

export async function run(session: Session, ids: readonly string[]): Promise<number> {
  const { cwd, io, flags, json, quiet } = session;
  const config = await configOf(session);
  const path = existingIndex(indexPath(config, cwd), cwd, "delete");
  const { queryLog } = config.open;
  const options = { path, mustExist: true, ...(queryLog !== undefined && { queryLog }) };
  return withIndex(session, options, async (konteks) => {
    const deleted: string[] = [];
    const missing: string[] = [];
    const keepContexts = flags.keepContexts === true;
    for (const id of ids) ((await konteks.delete(id, { keepContexts })) ? deleted : missing).push(id);
    if (json) printJson(session, { index: path, deleted, missing });
    else if (!quiet && deleted.length > 0) io.print(`Deleted ${count(deleted.length, "document")}.`);
    if (!json) for (const id of missing) io.note(`konteks: ${(await unknownDocument(konteks, id)).message}`);
    return missing.length === 0 ? EXIT.done : EXIT.failed;
  });
}
