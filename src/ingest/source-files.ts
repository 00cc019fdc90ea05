import { dirname, isAbsolute, matchesGlob, relative, resolve, sep } from "node:path";
import { KonteksError } from "../spec/index.ts";
import { fingerprint, sha256 } from "../util/hash.ts";
import {
  type FoundFile,
  fetchFile,
  filesInside,
  type ListOptions,
  type LoadOptions,
  listFiles,
  READERS,
  readBytes,
} from "./load/index.ts";
import { type PendingDocument, type Source, type SourceOptions, withMetadata } from "./pending.ts";
import { type Reading, readDocument } from "./read.ts";

/** What a file gives: itself, what is inside it, and the ids below which nothing can be told because it did not open. */
interface PendingFiles {
  readonly documents: readonly PendingDocument[];
  readonly unread: readonly string[];
}

export async function folderSource(root: string, options: SourceOptions): Promise<Source> {
  const { files, failed } = await list(root, options);
  if (files.length + failed.length === 0) throw empty(root);
  return sourceOf(root, files, failed, options, () => true);
}

export async function fileSource(path: string, options: SourceOptions): Promise<Source> {
  const { files } = await list(path, options);
  const ids = new Set(files.map(({ id }) => id));
  return sourceOf(dirname(path), files, [], options, (id) => isBelow(id, ids));
}

/** The files below the glob's fixed part that it matches; ids as if that folder had been ingested. */
export async function globSource(glob: string, options: SourceOptions): Promise<Source> {
  const absolute = resolve(glob).split(sep).join("/");
  const fixed = absolute.slice(0, absolute.search(/[*?[\]{}]/));
  const root = resolve(fixed.slice(0, Math.max(1, fixed.lastIndexOf("/"))));
  const pattern = relative(root, absolute).split(sep).join("/");
  const { files, failed } = await list(root, options);
  const matching = files.filter(({ id }) => matchesGlob(id, pattern));
  if (matching.length === 0) {
    throw new KonteksError("not-found", `No file matches "${glob}". Check the pattern, or name a folder.`, {
      facts: { glob, root },
    });
  }
  return sourceOf(root, matching, failed, options, (id) => matchesGlob(id, pattern));
}

/** Files by their paths; their ids are the paths below the current folder, or whole paths outside of it. */
export async function listSource(paths: readonly string[], options: SourceOptions): Promise<Source> {
  const root = resolve(".");
  const files: FoundFile[] = [];
  const failed: PendingDocument[] = [];
  for (const path of new Set(paths.map((each) => resolve(each)))) {
    const below = relative(root, path);
    const id = (below.startsWith("..") ? path : below).split(sep).join("/");
    try {
      for (const file of await listFiles(path, listOptions(options)))
        files.push(file.path === path ? { ...file, id } : { ...file, id: `${id}/${file.id}` });
    } catch (error) {
      options.signal?.throwIfAborted();
      failed.push(failing(id, error));
    }
  }
  const ids = new Set(files.map(({ id }) => id));
  return sourceOf(root, files, failed, options, (id) => isBelow(id, ids));
}

/** A page or file of the web; its id is its address. */
export async function webSource(address: string, options: SourceOptions): Promise<Source> {
  const { maxFileBytes, signal } = options;
  try {
    const file = await fetchFile(address, {
      ...(maxFileBytes !== undefined && { maxBytes: maxFileBytes }),
      ...(signal && { signal }),
    });
    return sourceOf("web", [file], [], options, (id) => isBelow(id, new Set([file.id])));
  } catch (error) {
    signal?.throwIfAborted();
    return sourceOf("web", [], [failing(address, error)], options, () => false);
  }
}

async function sourceOf(
  name: string,
  files: readonly FoundFile[],
  failed: readonly PendingDocument[],
  options: SourceOptions,
  covers: (id: string) => boolean,
): Promise<Source> {
  const documents: PendingDocument[] = [...failed];
  const unread = new Set(failed.map(({ id }) => id));
  for (const file of files) {
    options.signal?.throwIfAborted();
    const found = await pendingFiles(file, options);
    documents.push(...found.documents);
    for (const id of found.unread) unread.add(id);
  }
  const present = new Set(documents.map(({ id }) => id));
  const hasLeft = (id: string) => covers(id) && !present.has(id) && !isBelow(id, unread);
  return { name, documents, hasLeft };
}

/** The file as a document, and the documents inside it. */
export async function pendingFiles(file: FoundFile, options: SourceOptions): Promise<PendingFiles> {
  const load = loadOptions(file.id, options);
  try {
    const inside = await filesInside(file, load);
    if (inside === undefined) return { documents: [pendingFile(file, load, options)], unread: [] };
    const parts: PendingFiles[] = [];
    for (const inner of inside.files) parts.push(await pendingFiles(inner, options));
    const own = inside.isDocument ? [pendingFile(file, load, options)] : [];
    return {
      documents: [...own, ...parts.flatMap(({ documents }) => documents)],
      unread: parts.flatMap(({ unread }) => unread),
    };
  } catch (error) {
    options.signal?.throwIfAborted();
    return { documents: [failing(file.id, error)], unread: [file.id] };
  }
}

function pendingFile(file: FoundFile, load: LoadOptions, options: SourceOptions): PendingDocument {
  const path = file.uri ?? file.path;
  return {
    id: file.id,
    size: file.size,
    ...(isAbsolute(path) && { path }),
    open: async () => {
      const bytes = await readBytes(file, load);
      const hash = sha256(bytes);
      const reading: Reading = { file, bytes, options: load, metadata: options.metadata };
      return {
        contentHash: withReading(withMetadata(hash, options.metadata), file, options),
        readingKey: fingerprint([hash, READERS, file.id, load.pdf?.password ?? ""]),
        reading,
        read: () => readDocument(reading),
      };
    },
  };
}

/** Options that change what is read out of the same bytes count as a change of the file. */
function withReading(hash: string, file: FoundFile, { html }: SourceOptions): string {
  const all = html === "all" && /html?$/i.test(file.id) ? ["html", html] : [];
  const facts = file.facts === undefined ? [] : [JSON.stringify(file.facts)];
  return all.length + facts.length > 0 ? fingerprint([hash, ...all, ...facts]) : hash;
}

/** Stands for what could not be listed, so that the report names it. */
function failing(id: string, error: unknown): PendingDocument {
  return { id, size: 0, open: () => Promise.reject(error) };
}

async function list(
  root: string,
  options: SourceOptions,
): Promise<{ readonly files: readonly FoundFile[]; readonly failed: readonly PendingDocument[] }> {
  const failed: PendingDocument[] = [];
  const files = await listFiles(root, {
    ...listOptions(options),
    onUnreadable: (id, reason) =>
      void failed.push(failing(id, new KonteksError("unreadable", reason, { facts: { id } }))),
    // Not asked for, so no failure; but nobody should look for it in vain.
    onLink: (id, reason) =>
      void failed.push(failing(id, new KonteksError("unsupported-format", reason, { facts: { id } }))),
  });
  return { files, failed };
}

function listOptions({ gitignore, signal }: SourceOptions): ListOptions {
  return { ...(gitignore !== undefined && { gitignore }), ...(signal && { signal }) };
}

function loadOptions(id: string, options: SourceOptions): LoadOptions {
  const { password, html, maxFileBytes, records, signal } = options;
  const own = passwordFor(id, password);
  return {
    ...(own !== undefined && { pdf: { password: own } }),
    ...(html !== undefined && { html: { content: html } }),
    ...(maxFileBytes !== undefined && { maxBytes: maxFileBytes }),
    ...(records !== undefined && { records }),
    ...(signal && { signal }),
  };
}

function passwordFor(id: string, password: SourceOptions["password"]): string | undefined {
  if (password === undefined || typeof password === "string") return password;
  return password[id] ?? Object.entries(password).find(([glob]) => matchesGlob(id, glob))?.[1];
}

/** Whether an id is inside one of these folders or files. */
function isBelow(id: string, above: ReadonlySet<string>): boolean {
  for (let at = id.lastIndexOf("/"); at > 0; at = id.lastIndexOf("/", at - 1)) {
    if (above.has(id.slice(0, at))) return true;
  }
  return above.has("");
}

function empty(root: string): KonteksError {
  return new KonteksError(
    "empty-folder",
    `The folder "${root}" holds no file to read. Point at another folder, or check its .gitignore and .konteksignore.`,
    { facts: { path: root } },
  );
}
