import type { Chunk, Context, Document, Metadata } from "../../spec/index.ts";
import { openingOf } from "./opening.ts";
import { formOf, ORGANISATION_KEYS, type StructuralForm, TIME_KEYS } from "./structural-forms.ts";

export type { StructuralForm } from "./structural-forms.ts";

/** Part of the index identity; raised when the same document would get another context. */
export const STRUCTURAL_ID = "structural-2";

export interface StructuralOptions {
  /** Added to or put in the place of the built-in forms, by language tag. */
  readonly forms?: Readonly<Record<string, StructuralForm>>;
  /** Longest context, in characters. Default 400. */
  readonly maxLength?: number;
}

/**
 * Situates a chunk by what the document says of itself, without a model: title, organisation or author, time, and the
 * headings above the chunk, in the form of the document's language.
 */
export function structuralContext(
  document: Document,
  chunk: Chunk,
  options: StructuralOptions = {},
): Context {
  const form = formOf(document.language, options.forms);
  const facts = distinct([...factsOf(document), sectionOf(document, chunk, form)]);
  if (facts.length === 0) return { kind: "none", text: "" };
  return {
    kind: "structural",
    text: `[${form.from}: ${shorten(facts.join(", "), options.maxLength ?? 400)}]`,
  };
}

/** What the chunks of a document share, worked out once. */
const known = new WeakMap<Document, readonly string[]>();

function factsOf(document: Document): readonly string[] {
  const facts = known.get(document) ?? documentFacts(document);
  known.set(document, facts);
  return facts;
}

function documentFacts(document: Document): readonly string[] {
  const { metadata } = document;
  const named = ORGANISATION_KEYS.map((keys) => valueUnder(metadata, keys)).find(
    (value) => value !== undefined && !isProgram(value),
  );
  const time = valueUnder(metadata, TIME_KEYS);
  const other = named ?? pathOrOpening(document);
  return [titleOf(document), other, time].filter((fact) => fact !== undefined);
}

/** What programs write where an author is wanted. */
function isProgram(author: string): boolean {
  return /^(?:python-docx|openpyxl|apache poi|(?:microsoft |ms )?(?:office )?user|windows|admin(?:istrator)?|unknown|author|owner|root)$/i.test(
    author,
  );
}

/** Of a file's name its words: `NDA_Seeed%20v2` is "NDA Seeed v2". A number or a hash says nothing. */
function titleOf(document: Document): string | undefined {
  const { title, format } = document;
  if (format === "code" || !isFileName(document)) return title;
  if (!/\p{L}/u.test(title) || /^(?=.*\d)[\da-f-]{16,}$/i.test(title)) return undefined;
  return decoded(title).replace(/_+/g, " ").trim();
}

/** Whether the title is a file's name, and not what the document calls itself. */
function isFileName({ id, title, metadata, outline }: Document): boolean {
  if (metadata.title === title || outline.some((heading) => heading.text === title)) return false;
  const name = id.slice(id.lastIndexOf("/") + 1);
  return name === title || name.replace(/\.[^.]+$/, "") === title || /^\S+\.[a-z]{2,4}\d?$/i.test(title);
}

function decoded(name: string): string {
  try {
    return decodeURIComponent(name);
  } catch {
    return name;
  }
}

/** Longest opening of a document, in characters; more where its title is a mere file's name and does not say what it is. */
const OPENING = { named: 120, nameless: 220 } as const;
/** Formats without sentences to begin with. */
const ROWS: ReadonlySet<string> = new Set(["csv", "json", "xlsx", "ods"]);

/** With nobody named in the metadata: source code is known by its path, other text by how it begins. */
function pathOrOpening(document: Document): string | undefined {
  if (document.format === "code") return document.id;
  if (ROWS.has(document.format)) return undefined;
  const nameless = isFileName(document);
  const maxLength = nameless ? OPENING.nameless : OPENING.named;
  const opening = openingOf(document, { maxLength, nameless });
  return opening === undefined ? undefined : shorten(opening, maxLength);
}

function sectionOf(document: Document, chunk: Chunk, form: StructuralForm): string {
  const path = chunk.headings.filter((heading) => !sameWords(heading, document.title)).join(" > ");
  return path === "" ? "" : `${form.section} ${path}`;
}

function valueUnder(metadata: Metadata, keys: readonly string[]): string | undefined {
  const byLowerKey = new Map(Object.entries(metadata).map(([key, value]) => [key.toLowerCase(), value]));
  for (const key of keys) {
    const value = byLowerKey.get(key);
    if (typeof value === "string" && value.trim() !== "") return value.trim();
    if (typeof value === "number") return String(value);
    if (Array.isArray(value) && value.length > 0) return value.join(", ");
  }
  return undefined;
}

/** Leaves out what an earlier fact already says: "ACME" after "ACME report, Q2". */
function distinct(facts: readonly string[]): readonly string[] {
  const kept: string[] = [];
  for (const fact of facts) {
    const said = kept.join(" ").toLowerCase();
    if (fact !== "" && !said.includes(fact.toLowerCase())) kept.push(fact);
  }
  return kept;
}

function sameWords(a: string, b: string): boolean {
  return a.trim().toLowerCase() === b.trim().toLowerCase();
}

/** Cuts at white space where one is in reach, never inside a surrogate pair. */
function shorten(text: string, length: number): string {
  if (text.length <= length) return text;
  const cut = text.slice(0, length - 1).replace(/[\uD800-\uDBFF]$/u, "");
  const space = cut.lastIndexOf(" ");
  return `${space > length / 2 ? cut.slice(0, space) : cut}…`;
}
