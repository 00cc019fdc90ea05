import { type Konteks, KonteksError } from "../../spec/index.ts";
import { didYouMean } from "../../util/nearest.ts";
import { documentIdOf } from "../document-id.ts";
import { renderChunk, renderDocument } from "../print/documents.ts";
import { configOf, EXIT, printJson, type Session, withIndex } from "../session.ts";
import { readIndex } from "../which-index.ts";

export async function run(session: Session, [id = ""]: readonly string[]): Promise<number> {
  const config = await configOf(session);
  const path = readIndex(session, config, "show");
  return withIndex(session, { path, mustExist: true, readOnly: true }, async (konteks) => {
    const shows = async (name: string) =>
      (await showDocument(session, konteks, name)) || (await showChunk(session, konteks, name));
    if (!(await shows(id)) && !(await shows(await shownPlace(session, konteks, id))))
      throw await unknownDocument(konteks, id);
    return EXIT.done;
  });
}

/** What hits and citations show, `docs/lease.md:12`, can be typed here. */
async function shownPlace({ cwd }: Session, konteks: Konteks, typed: string): Promise<string> {
  const documents = await konteks.documents();
  const id = documentIdOf(typed, documents, cwd);
  return id === typed ? documentIdOf(typed.replace(/:\d+$/, ""), documents, cwd) : id;
}

async function showDocument(session: Session, konteks: Konteks, id: string): Promise<boolean> {
  const record = await konteks.document(id);
  if (record === undefined) return false;
  const chunks = await konteks.chunks(id);
  if (session.json) printJson(session, { ...record, chunks });
  else session.io.print(renderDocument(record, chunks, session.io.view));
  return true;
}

async function showChunk(session: Session, konteks: Konteks, id: string): Promise<boolean> {
  const documentId = /^(.+)#\d+$/.exec(id)?.[1];
  if (documentId === undefined) return false;
  const found = (await konteks.chunks(documentId)).find(({ chunk }) => chunk.id === id);
  if (found === undefined) return false;
  if (session.json) printJson(session, found);
  else session.io.print(renderChunk(found, session.io.view));
  return true;
}

export async function unknownDocument(konteks: Konteks, id: string): Promise<KonteksError> {
  const ids = (await konteks.documents()).map((document) => document.id);
  const hint = didYouMean(id, ids);
  return new KonteksError(
    "not-found",
    `There is no document "${id}" in the index.${hint === "" ? " `konteks documents` lists them." : hint}`,
    { facts: { id } },
  );
}
