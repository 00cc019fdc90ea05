import { KonteksError } from "../../spec/index.ts";
import { attachmentsOf } from "./email.ts";
import { readBytes } from "./load.ts";
import { baseName, ending } from "./paths.ts";
import { recordsOf } from "./records.ts";
import type { FoundFile, LoadOptions, Member } from "./types.ts";
import { ARCHIVE_LIMITS, openZip } from "./zip.ts";

/** What a file holds beside, or instead of, a text of its own. */
export interface Inside {
  readonly files: readonly FoundFile[];
  /** Whether the file is a document too (a mail), or only holds others (an archive). */
  readonly isDocument: boolean;
}

/** Archives in archives in archives are somebody's joke, or an attack. */
const DEEPEST = 3;

/**
 * The files inside an archive, the attachments of a mail, the records of a data file (with `records`); undefined for a
 * file that only is what it is. Their ids stand below the file's: `mail.eml/report.pdf`.
 *
 * @throws KonteksError "unreadable", "encrypted"
 */
export async function filesInside(file: FoundFile, options: LoadOptions = {}): Promise<Inside | undefined> {
  const kind = kindOf(file, options);
  if (kind === undefined) return undefined;
  const depth = (file.depth ?? 0) + 1;
  if (depth > DEEPEST) throw tooDeep(file);
  const members = await membersOf(await readBytes(file, options), file, kind, options);
  if (members === undefined) return undefined;
  hold(file, members);
  const names = uniqueNames(members);
  const files = members.map(
    ({ size, facts }, index): FoundFile => ({
      id: `${file.id}/${names[index]}`,
      path: file.path,
      uri: `${file.uri ?? file.path}/${names[index]}`,
      size,
      depth,
      ...(facts && { facts }),
      read: (settings) => readMember(file, index, { ...options, ...settings }),
    }),
  );
  return {
    files: files.filter(({ id }) => !isToolsOwn(id.slice(file.id.length + 1))),
    isDocument: kind === "mail",
  };
}

type Kind = "archive" | "mail" | "records";

function kindOf({ id }: FoundFile, { records }: LoadOptions): Kind | undefined {
  const kind = ending(id);
  if (kind === "zip") return "archive";
  if (kind === "eml") return "mail";
  return records !== undefined && /^(json|jsonl|ndjson|csv|tsv)$/.test(kind) ? "records" : undefined;
}

async function membersOf(
  bytes: Uint8Array,
  file: FoundFile,
  kind: Kind,
  options: LoadOptions,
): Promise<readonly Member[] | undefined> {
  if (kind === "mail") return attachmentsOf(bytes, file);
  if (kind === "records") return options.records && recordsOf(bytes, file, options.records);
  // An office file may be named .zip; it is told by its content when it is loaded.
  return bytes[0] === 0x50 && bytes[1] === 0x4b ? openZip(bytes, file, ARCHIVE_LIMITS) : undefined;
}

/** The members of one file are kept while they are read one after the other. */
let held: { readonly id: string; readonly path: string; readonly members: readonly Member[] } | undefined;

function hold({ id, path }: FoundFile, members: readonly Member[]): void {
  held = { id, path, members };
}

async function readMember(file: FoundFile, index: number, options: LoadOptions): Promise<Uint8Array> {
  const isHeld = held?.id === file.id && held.path === file.path;
  const kind = kindOf(file, options);
  const members =
    isHeld || kind === undefined
      ? held?.members
      : await membersOf(await readBytes(file, options), file, kind, options);
  const member = members?.[index];
  if (members === undefined || member === undefined) throw changed(file);
  hold(file, members);
  const limit = options.maxBytes ?? Number.POSITIVE_INFINITY;
  if (member.size > limit) throw tooLarge(file, member, limit);
  return member.read();
}

/** Two members of the same name would be one document: the later ones get a number. */
function uniqueNames(members: readonly Member[]): readonly string[] {
  const taken = new Set<string>();
  return members.map(({ name }) => {
    let unique = name;
    for (let number = 2; taken.has(unique); number++) {
      const kind = ending(name);
      const stem = kind === "" ? name : name.slice(0, -kind.length - 1);
      unique = `${stem} (${number})${kind === "" ? "" : `.${kind}`}`;
    }
    taken.add(unique);
    return unique;
  });
}

/** As in folders: names that begin with a dot, and what packers put in. */
function isToolsOwn(name: string): boolean {
  return name
    .split("/")
    .some((part) => part.startsWith(".") || part === "__MACOSX" || part === "node_modules");
}

function tooDeep(file: FoundFile): KonteksError {
  return new KonteksError(
    "unreadable",
    `"${file.id}" is packed ${DEEPEST + 1} levels deep, more than the limit of ${DEEPEST}. Unpack it and ingest the folder.`,
    { facts: { path: file.path } },
  );
}

function tooLarge(file: FoundFile, { name, size }: Member, limit: number): KonteksError {
  const mib = (bytes: number) => `${Math.ceil(bytes / 1024 / 1024)} MiB`;
  return new KonteksError(
    "unreadable",
    `"${baseName(name)}" in "${file.id}" has ${mib(size)}, more than the limit of ${mib(limit)}. Split it, or raise maxBytes.`,
    { facts: { path: file.path, size, limit } },
  );
}

function changed(file: FoundFile): KonteksError {
  return new KonteksError("unreadable", `"${file.id}" changed while it was read. Run it again.`, {
    facts: { path: file.path },
  });
}
