import type { Chunk, Context, Document, Metadata } from "../../spec/index.ts";

/** Part of the index identity; raised when the same document would get another context. */
export const STRUCTURAL_ID = "structural-1";

/** How a language writes the structural context. */
export interface StructuralForm {
  /** Put in front: "From", "Dari", … */
  readonly from: string;
  /** Put before the heading path: "section", "bagian", … */
  readonly section: string;
}

export interface StructuralOptions {
  /** Added to or put in the place of the built-in forms, by language tag. */
  readonly forms?: Readonly<Record<string, StructuralForm>>;
  /** Longest context, in characters. Default 400. */
  readonly maxLength?: number;
}

const FORMS: Readonly<Record<string, StructuralForm>> = {
  en: { from: "From", section: "section" },
  id: { from: "Dari", section: "bagian" },
  ms: { from: "Daripada", section: "bahagian" },
  vi: { from: "Trích từ", section: "mục" },
  zh: { from: "出自", section: "章节" },
  ja: { from: "出典", section: "節" },
  ko: { from: "출처", section: "절" },
  th: { from: "จาก", section: "หัวข้อ" },
  de: { from: "Aus", section: "Abschnitt" },
  fr: { from: "De", section: "section" },
  es: { from: "De", section: "sección" },
  pt: { from: "De", section: "seção" },
};

/** Names under which people keep the organisation, the author and the time of a document, most telling first. */
const ORGANISATION_KEYS = [
  [
    "company",
    "organization",
    "organisation",
    "perusahaan",
    "organisasi",
    "công ty",
    "cong_ty",
    "cong-ty",
    "公司",
    "publisher",
  ],
  ["author", "authors", "penulis", "tác giả", "tac_gia", "作者"],
];
const TIME_KEYS = [
  "period",
  "quarter",
  "periode",
  "kuartal",
  "kỳ",
  "quý",
  "date",
  "tanggal",
  "ngày",
  "year",
  "tahun",
  "năm",
];

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
  const facts = distinct([document.title, ...documentFacts(document), sectionOf(document, chunk, form)]);
  if (facts.length === 0) return { kind: "none", text: "" };
  return {
    kind: "structural",
    text: `[${form.from}: ${shorten(facts.join(", "), options.maxLength ?? 400)}]`,
  };
}

function formOf(language: string | undefined, own: StructuralOptions["forms"]): StructuralForm {
  const english = { from: "From", section: "section" };
  if (language === undefined) return own?.en ?? FORMS.en ?? english;
  return own?.[language] ?? FORMS[language] ?? own?.en ?? FORMS.en ?? english;
}

function documentFacts(document: Document): readonly string[] {
  const { metadata } = document;
  const named = ORGANISATION_KEYS.map((keys) => valueUnder(metadata, keys)).find(
    (value) => value !== undefined,
  );
  const time = valueUnder(metadata, TIME_KEYS);
  const known = [named, time].filter((value) => value !== undefined);
  return known.length > 0 ? known : pathOrOpening(document);
}

/** With nothing in the metadata: source code is known by its path, other text by its first line. */
function pathOrOpening(document: Document): readonly string[] {
  if (document.format === "code") return [document.id];
  const opening = openingLine(document);
  return opening === undefined ? [] : [opening];
}

function openingLine(document: Document): string | undefined {
  const first = document.blocks.find((block) => block.kind !== "metadata" && block.kind !== "heading");
  if (!first || first.kind === "code" || first.kind === "table" || first.kind === "html") return undefined;
  const line = document.text.slice(first.start, first.end).replace(/\s+/gu, " ").trim();
  return line === "" ? undefined : shorten(line, 120);
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
