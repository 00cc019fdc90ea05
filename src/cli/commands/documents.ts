import { existingIndex } from "../paths.ts";
import { renderDocuments } from "../print/documents.ts";
import { configOf, EXIT, indexPath, printJson, type Session, withIndex } from "../session.ts";

export async function run(session: Session): Promise<number> {
  const { cwd, io, json } = session;
  const config = await configOf(session);
  const path = existingIndex(indexPath(config, cwd), cwd, "documents");
  return withIndex(session, { path, mustExist: true, readOnly: true }, async (konteks) => {
    const documents = await konteks.documents();
    if (json) printJson(session, { index: path, documents });
    else io.print(renderDocuments(documents, io.view));
    return EXIT.done;
  });
}
