import { KonteksError } from "../../spec/index.ts";
import { changedFilesNotes } from "../changed-files.ts";
import { renderHits } from "../print/hits.ts";
import { queryFlags } from "../search-flags.ts";
import { configOf, EXIT, note, printJson, type Session, withIndex } from "../session.ts";
import { readIndex } from "../which-index.ts";

export async function run(session: Session, args: readonly string[]): Promise<number> {
  const { io, signal, json } = session;
  const query = args.join(" ");
  if (query.trim() === "")
    throw new KonteksError("wrong-option", "The query is empty. Type what to look for.");
  const config = await configOf(session);
  const path = readIndex(session, config, "search");
  const options = { ...config.open, path, mustExist: true, readOnly: true };
  return withIndex(session, options, async (konteks) => {
    const options = { ...config.search, ...queryFlags(session), signal };
    const found = await konteks.search(query, options);
    const changed = await changedFilesNotes(session, konteks, path, found.hits);
    const result = changed.length === 0 ? found : { ...found, notes: [...(found.notes ?? []), ...changed] };
    for (const line of result.notes ?? []) note(session, line);
    if (json) printJson(session, { index: path, ...result });
    else io.print(renderHits(result, io.view, { stages: session.flags.explain === true }));
    return EXIT.done;
  });
}
