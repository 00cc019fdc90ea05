import { renderDocuments } from "../print/documents.ts";
import { configOf, EXIT, printJson, type Session, withIndex } from "../session.ts";
import { readIndex } from "../which-index.ts";

export async function run(session: Session): Promise<number> {
  const { io, json } = session;
  const config = await configOf(session);
  const path = readIndex(session, config, "documents");
  return withIndex(session, { path, mustExist: true, readOnly: true }, async (konteks) => {
    const documents = await konteks.documents();
    if (json) printJson(session, { index: path, documents });
    else io.print(renderDocuments(documents, io.view));
    return EXIT.done;
  });
}
