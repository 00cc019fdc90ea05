import type { Konteks } from "../../spec/index.ts";
import { documentIdOf } from "../document-id.ts";
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
    const keepContexts = flags.keepContexts === true;
    const { deleted, missing } = await deleteAll(konteks, ids, cwd, keepContexts);
    if (json) printJson(session, { index: path, deleted, missing });
    else if (!quiet && deleted.length > 0) io.print(`Deleted ${count(deleted.length, "document")}.`);
    if (!json) for (const id of missing) io.note(`konteks: ${(await unknownDocument(konteks, id)).message}`);
    if (!json && deleted.length === 0 && ids.length > 1) io.note("konteks: Nothing was deleted.");
    return missing.length === 0 ? EXIT.done : EXIT.failed;
  });
}

/** All or none: with a mistyped id among them, nobody meant this list, and paid contexts would go. */
async function deleteAll(konteks: Konteks, typed: readonly string[], cwd: string, keepContexts: boolean) {
  const documents = await konteks.documents();
  const known = new Set(documents.map(({ id }) => id));
  const ids = [...new Set(typed.map((id) => documentIdOf(id, documents, cwd)))];
  const missing = ids.filter((id) => !known.has(id));
  const deleted: string[] = [];
  if (missing.length > 0) return { deleted, missing };
  for (const id of ids) ((await konteks.delete(id, { keepContexts })) ? deleted : missing).push(id);
  return { deleted, missing };
}
