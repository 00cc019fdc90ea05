import type { ChildNode, Element } from "domhandler";
import { decodeText } from "../../util/encoding.ts";
import { declaredEncoding } from "./html.ts";
import type { ZipEntry } from "./zip.ts";

/** An element of an office file's XML. */
export type XmlElement = Element;

/**
 * XML as a tree. Entities that a document declares itself are not expanded, so that no small file grows large; elements
 * that are left open are closed.
 */
export async function parseXml(xml: string): Promise<XmlElement> {
  const { parseDocument } = await import("htmlparser2");
  const root = parseDocument(xml, { xmlMode: true }).children.find(isElement);
  if (root === undefined) throw new Error("a part of the file is empty or no XML");
  return root;
}

/** The part of an office file by its path, as a tree; undefined when the file has no such part. */
export async function readPart(
  parts: ReadonlyMap<string, ZipEntry>,
  path: string,
): Promise<XmlElement | undefined> {
  const xml = await readText(parts, path);
  return xml === undefined ? undefined : parseXml(xml);
}

export async function readText(
  parts: ReadonlyMap<string, ZipEntry>,
  path: string,
): Promise<string | undefined> {
  const entry = parts.get(path);
  if (entry === undefined) return undefined;
  const bytes = await entry.read();
  return (await decodeText(bytes, { declared: declaredEncoding(bytes) }))?.text ?? "";
}

export function partsOf(entries: readonly ZipEntry[]): ReadonlyMap<string, ZipEntry> {
  return new Map(entries.map((entry) => [entry.name, entry]));
}

/** "p" of "w:p": programs are free to choose the prefix. */
export function localName(element: XmlElement): string {
  return element.name.slice(element.name.indexOf(":") + 1);
}

export function isElement(node: ChildNode): node is XmlElement {
  return "name" in node && "attribs" in node;
}

export function elements(parent: XmlElement | undefined, name?: string): readonly XmlElement[] {
  const inside = parent?.children.filter(isElement) ?? [];
  return name === undefined ? inside : inside.filter((each) => localName(each) === name);
}

export function element(parent: XmlElement | undefined, ...path: readonly string[]): XmlElement | undefined {
  return path.reduce<XmlElement | undefined>((at, name) => elements(at, name)[0], parent);
}

/** Every element of that name below, in order; those inside a found one are not looked for. */
export function descendants(parent: XmlElement | undefined, name: string): readonly XmlElement[] {
  const found: XmlElement[] = [];
  const open = [...elements(parent)].reverse();
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    if (localName(next) === name) found.push(next);
    else for (const child of [...elements(next)].reverse()) open.push(child);
  }
  return found;
}

/** An attribute by its name without the prefix. */
export function attributeOf(of: XmlElement | undefined, name: string): string | undefined {
  if (of === undefined) return undefined;
  const own = of.attribs[name];
  if (own !== undefined) return own;
  return Object.entries(of.attribs).find(([key]) => key.endsWith(`:${name}`))?.[1];
}

/** All text inside, as it is. */
export function textIn(of: XmlElement | undefined): string {
  const parts: string[] = [];
  const open: ChildNode[] = of === undefined ? [] : [of];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    if ("data" in next && next.type === "text") parts.push(next.data);
    if ("children" in next) for (const child of [...next.children].reverse()) open.push(child);
  }
  return parts.join("");
}

/** Targets of a part's relationships by their ids, as paths from the root of the file; those outside of it are left out. */
export async function relationsOf(
  parts: ReadonlyMap<string, ZipEntry>,
  path: string,
): Promise<ReadonlyMap<string, { readonly type: string; readonly target: string }>> {
  const at = path.lastIndexOf("/");
  const folder = path.slice(0, at + 1);
  const root = await readPart(parts, `${folder}_rels/${path.slice(at + 1)}.rels`);
  const relations = elements(root, "Relationship").flatMap((each) => {
    const target = pathInside(folder, attributeOf(each, "Target") ?? "");
    const type = (attributeOf(each, "Type") ?? "").split("/").at(-1) ?? "";
    return target === undefined ? [] : [[attributeOf(each, "Id") ?? "", { type, target }] as const];
  });
  return new Map(relations);
}

/**
 * Where a reference of one part leads, as a path from the root of the archive. Undefined for addresses of the web and for what
 * is no address at all: people type anything as a link.
 */
export function pathInside(from: string, reference: string): string | undefined {
  const base = new URL("file:///");
  base.pathname = from;
  if (!URL.canParse(reference, base.href)) return undefined;
  const { protocol, host, pathname } = new URL(reference, base);
  const isInside = protocol === "file:" && host === "";
  return isInside ? pathname.slice(1).split("/").map(decoded).join("/") : undefined;
}

/** A percent sign that begins no escape stands for itself. */
function decoded(name: string): string {
  try {
    return decodeURIComponent(name);
  } catch {
    return name;
  }
}
