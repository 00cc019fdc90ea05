import { type Stats, statSync } from "node:fs";
import { dirname, isAbsolute } from "node:path";
import type { PendingDocument } from "../../../ingest/pending.ts";
import { pendingFiles } from "../../../ingest/source-files.ts";
import { type DocumentSummary, type IngestOptions, type Konteks, KonteksError } from "../../../spec/index.ts";

/**
 * Refuses an index whose documents are no longer what their files say: figures over it would be of the past. Files are
 * read as `reading` says. What lies inside a mail, an archive or a data file is looked up in that file.
 */
export async function refuseStale(konteks: Konteks, reading: IngestOptions = {}): Promise<void> {
  const stale: string[] = [];
  const inside = filesOnce(reading);
  for (const document of await konteks.documents()) {
    if (await isStale(konteks, document, inside)) stale.push(document.id);
  }
  const [first] = stale;
  if (first === undefined) return;
  throw new KonteksError(
    "wrong-option",
    `The index is older than ${stale.length} of its files, the first is "${first}". Run \`konteks ingest\` again, or name the folder so that it is read anew.`,
    { facts: { stale } },
  );
}

/** Texts are compared, since a copied or touched file is new by its date alone. */
async function isStale(
  konteks: Konteks,
  { id, uri, source, indexedAt }: DocumentSummary,
  documentsOf: ReturnType<typeof filesOnce>,
): Promise<boolean> {
  if (source === "api" || !isAbsolute(uri)) return false;
  const file = fileOf(uri);
  if (file === undefined) return true;
  if (file.stats.mtimeMs <= Date.parse(indexedAt)) return false;
  const found = await documentsOf(file, id.slice(0, id.length - (uri.length - file.path.length)));
  // A file that no longer opens says nothing of its text.
  if (found === undefined) return false;
  const pending = found.find(({ path }) => path === uri);
  if (pending === undefined) return true;
  const record = await konteks.document(id);
  const now = await textOf(pending);
  return now !== undefined && now !== record?.document.text;
}

interface OnDisk {
  readonly path: string;
  readonly stats: Stats;
}

/** The file at a path, or the one that the path leads into. */
function fileOf(uri: string): OnDisk | undefined {
  for (let path = uri; path !== dirname(path); path = dirname(path)) {
    const stats = statSync(path, { throwIfNoEntry: false });
    if (stats?.isFile()) return { path, stats };
    if (stats !== undefined) return undefined;
  }
  return undefined;
}

/** The documents of a file, looked up once however many of them the index has; undefined where it does not open. */
function filesOnce(reading: IngestOptions) {
  const known = new Map<string, Promise<readonly PendingDocument[] | undefined>>();
  return ({ path, stats: { size } }: OnDisk, id: string) => {
    const documents =
      known.get(path) ??
      pendingFiles({ id, path, size }, reading).then(({ documents, unread }) =>
        unread.includes(id) ? undefined : documents,
      );
    known.set(path, documents);
    return documents;
  };
}

async function textOf(pending: PendingDocument): Promise<string | undefined> {
  try {
    return (await (await pending.open()).read()).text;
  } catch {
    return undefined;
  }
}
