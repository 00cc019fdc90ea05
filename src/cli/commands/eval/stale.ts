import { stat } from "node:fs/promises";
import { isAbsolute } from "node:path";
import { loadFile } from "../../../ingest/load/index.ts";
import { type DocumentSummary, type Konteks, KonteksError } from "../../../spec/index.ts";

/** Refuses an index whose documents are no longer what their files say: figures over it would be of the past. */
export async function refuseStale(konteks: Konteks): Promise<void> {
  const stale: string[] = [];
  for (const document of await konteks.documents()) {
    if (await isStale(konteks, document)) stale.push(document.id);
  }
  if (stale.length === 0) return;
  throw new KonteksError(
    "wrong-option",
    `The index is older than ${stale.length} of its files, the first is "${stale[0]}". Run \`konteks ingest\` again, or name the folder so that it is read anew.`,
    { facts: { stale } },
  );
}

/** Texts are compared, since a copied or touched file is new by its date alone. */
async function isStale(konteks: Konteks, { id, uri, source, indexedAt }: DocumentSummary): Promise<boolean> {
  if (source === "api" || !isAbsolute(uri)) return false;
  const file = await stat(uri).catch(() => undefined);
  if (file === undefined) return true;
  if (file.mtimeMs <= Date.parse(indexedAt)) return false;
  const record = await konteks.document(id);
  // What lies inside an archive cannot be read by itself.
  const read = await loadFile({ id, path: uri, size: 0 }).catch(() => undefined);
  return read !== undefined && read.document.text !== record?.document.text;
}
