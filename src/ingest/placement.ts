import { existsSync, statSync } from "node:fs";
import { dirname, isAbsolute, join, relative, sep } from "node:path";
import type { DocumentSummary } from "../spec/index.ts";
import type { PendingDocument, Source } from "./pending.ts";

/** What is known of the documents of an index when places are given. */
export type PlacedDocument = Pick<DocumentSummary, "id" | "source" | "uri">;

/** A source's documents under the ids that they have in this index. */
export interface Placement {
  readonly documents: readonly PendingDocument[];
  /** Whether a document of the index, from this source or from a folder inside it, is no longer there. */
  isGone(document: PlacedDocument): boolean;
}

/**
 * Gives the documents of a source their ids in an index that holds other sources too. A file that stands in the index
 * already, because a folder above or below this one was ingested, keeps its id and stays one document. A file whose id is
 * taken by another file gets its folder's name in front: `b/readme.md`. A folder that was renamed or moved, or whose index
 * was carried to another machine, stays the same documents. Everything else keeps the path below its root.
 */
export function placeDocuments(source: Source, known: readonly PlacedDocument[]): Placement {
  const { name } = source;
  const byId = new Map(known.map((document) => [document.id, document]));
  const byFile = filesOf(known);
  const moved = movedDocuments(source, known);
  const taken = new Set<string>();

  function place(pending: PendingDocument): PendingDocument {
    const own = byId.get(pending.id);
    const { path } = pending;
    if (path === undefined || !isAbsolute(name)) return pending;
    if (own !== undefined && own.source === name && idBelow(name, own) === pending.id) return pending;
    const same = byFile.get(path);
    if (same !== undefined) return renamed(pending, same.id, same.source);
    const before = moved.byPath.get(pending.id);
    if (before !== undefined) return { ...renamed(pending, before.id), moved: true };
    if (own === undefined) return pending;
    return renamed(
      pending,
      freeId(name, pending.id, (id) => byId.has(id) || taken.has(id)),
    );
  }

  const documents = source.documents.map((pending) => {
    const placed = place(pending);
    taken.add(placed.id);
    return placed;
  });

  return {
    documents,
    isGone(document) {
      if (taken.has(document.id)) return false;
      const id = idBelow(name, document);
      if (document.source === name) return source.hasLeft(id);
      if (moved.from.has(document.source)) return true;
      const isInside =
        isAbsolute(document.source) && isBelow(document.uri, name) && isBelow(document.source, name);
      return isInside && source.hasLeft(id) && !isOnDisk(document.uri);
    },
  };
}

/** A folder that is gone was moved here when this share of its documents stands here under the same paths. */
const MOVED_SHARE = 0.5;

/** Documents of folders that are no longer on disk and stand in this source now, by their paths below it. */
function movedDocuments({ name, documents }: Source, known: readonly PlacedDocument[]) {
  const here = new Set(isAbsolute(name) ? documents.map(({ id }) => id) : []);
  const others = known.filter((document) => isAbsolute(document.source) && document.source !== name);
  const from = new Set<string>();
  for (const [folder, all] of Map.groupBy(others, (document) => document.source)) {
    const found = all.filter((document) => here.has(idBelow(folder, document))).length;
    if (found >= MOVED_SHARE * all.length && !existsSync(folder)) from.add(folder);
  }
  const byPath = others
    .filter((document) => from.has(document.source))
    .map((document) => [idBelow(document.source, document), document] as const);
  return { from, byPath: new Map(byPath) };
}

/** Documents by the file they come from; of files that hold several, none. */
function filesOf(known: readonly PlacedDocument[]): ReadonlyMap<string, PlacedDocument> {
  const found = new Map<string, PlacedDocument | undefined>();
  for (const document of known) {
    if (!isAbsolute(document.source)) continue;
    found.set(document.uri, found.has(document.uri) ? undefined : document);
  }
  return new Map([...found].flatMap(([uri, document]) => (document === undefined ? [] : [[uri, document]])));
}

/** The path below the root that a document was found at, whatever its id in the index is. */
function idBelow(root: string, { id, uri }: PlacedDocument): string {
  const usual = join(root, id);
  // Of what is inside a file, older indexes name the file.
  if (usual === uri || usual.startsWith(uri + sep) || !isBelow(uri, root)) return id;
  return relative(root, uri).split(sep).join("/");
}

function isBelow(path: string, folder: string): boolean {
  return isAbsolute(folder) && path.startsWith(folder.endsWith(sep) ? folder : folder + sep);
}

/** Whether a file is there, or the archive or mail that it is inside of. */
function isOnDisk(path: string): boolean {
  for (let at = path; at !== dirname(at); at = dirname(at)) {
    const stats = statSync(at, { throwIfNoEntry: false });
    if (stats !== undefined) return at === path || stats.isFile();
  }
  return false;
}

/** As many folders of the root's path in front as it takes. */
function freeId(root: string, id: string, isTaken: (id: string) => boolean): string {
  const folders = root.split(sep).filter((part) => part !== "");
  let free = id;
  for (let folder = folders.pop(); folder !== undefined && isTaken(free); folder = folders.pop())
    free = `${folder}/${free}`;
  return free;
}

function renamed(pending: PendingDocument, id: string, source?: string): PendingDocument {
  return {
    ...pending,
    id,
    ...(source !== undefined && { source }),
    open: async () => {
      const opened = await pending.open();
      // It may be read here or in another process.
      const reading = opened.reading && { ...opened.reading, id };
      const read = async () => ({ ...(await opened.read()), id });
      return { ...opened, ...(reading && { reading }), read };
    },
  };
}
