import { readFile, stat } from "node:fs/promises";
import { dirname, isAbsolute } from "node:path";
import type { DocumentRecord, Konteks } from "../spec/index.ts";
import { sha256 } from "../util/hash.ts";
import { quoteArgument } from "../util/quote-argument.ts";
import { count, shortPath } from "./print/layout.ts";
import { indexPath, type Session } from "./session.ts";

/** Larger files are told by their time alone. */
const COMPARED_BYTES = 20 * 1024 * 1024;
const NAMED = 3;

/** One note on shown files of this disk that were changed since they were read into the index; none where all are the same. */
export async function changedFilesNotes(
  session: Session,
  konteks: Konteks,
  index: string,
  shown: readonly { readonly documentId: string; readonly uri: string }[],
): Promise<readonly string[]> {
  const files = new Map(shown.filter(({ uri }) => isAbsolute(uri)).map((one) => [one.uri, one.documentId]));
  const changed: { readonly uri: string; readonly source: string }[] = [];
  for (const [uri, id] of files) {
    const record = await changedSince(konteks, uri, id).catch(() => undefined);
    if (record) changed.push({ uri, source: readAgainBy(uri, record.source) });
  }
  return changed.length === 0 ? [] : [noteOn(session, index, changed)];
}

/** The file itself where it has the same id by itself, else the folder that it was read with. */
function readAgainBy(uri: string, source: string): string {
  return isAbsolute(source) && dirname(uri) !== source ? source : uri;
}

/** What the index holds of a file that says something else now; a file that is not here tells nothing. */
async function changedSince(konteks: Konteks, uri: string, id: string): Promise<DocumentRecord | undefined> {
  const file = await stat(uri);
  const record = await konteks.document(id);
  if (!record || !file.isFile() || file.mtimeMs <= Date.parse(record.indexedAt)) return undefined;
  // The hash of a file that was read with further settings is not its own.
  const isOwn = /^[0-9a-f]{64}$/u.test(record.contentHash) && file.size <= COMPARED_BYTES;
  return isOwn && sha256(await readFile(uri)) === record.contentHash ? undefined : record;
}

function noteOn(
  { cwd, io }: Session,
  index: string,
  changed: readonly { readonly uri: string; readonly source: string }[],
): string {
  const names = changed.map(({ uri }) => shortPath(uri, { cwd }));
  const more = names.length > NAMED ? ` and ${count(names.length - NAMED, "more file")}` : "";
  const sources = [...new Set(changed.map(({ source }) => shortPath(source, io.notes)))].map((one) =>
    quoteArgument(one),
  );
  const where =
    index === indexPath({ index: undefined }, cwd)
      ? ""
      : ` --index ${quoteArgument(shortPath(index, io.notes))}`;
  return `Changed since it was read, so what is shown may be out of date: ${names.slice(0, NAMED).join(", ")}${more}. To read it again: konteks ingest ${sources.join(" ")}${where}`;
}
