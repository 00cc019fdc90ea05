import type { DefaultTreeAdapterTypes } from "parse5";
import type { Metadata } from "../../spec/index.ts";
import { writeBlocks } from "./html-blocks.ts";
import { mainContent, reveal, wholeContent } from "./html-main.ts";
import { attribute, type Element, findAll, type Node, textOf, visit } from "./html-tree.ts";
import { createTextBuilder } from "./text-builder.ts";
import type { HtmlOptions, Parsed } from "./types.ts";

/** The text of a web page in reading order, with headings, lists, tables and code; nothing is fetched. */
export async function loadHtml(source: string, options: HtmlOptions = {}): Promise<Parsed> {
  const { parse } = await import("parse5");
  const page = parse(source);
  const body =
    findAll(page, (element) => element.tagName === "body" || element.tagName === "frameset")[0] ?? page;
  reveal(body);
  const builder = createTextBuilder();
  writeBlocks(options.content === "all" ? wholeContent(body) : mainContent(body), builder);
  const { text, blocks, outline } = builder.finish();
  return { text, blocks, outline, format: "html", warnings: [], ...factsOf(page) };
}

/** The encoding a page or XML file names in its first bytes; undefined when it names none. */
export function declaredEncoding(bytes: Uint8Array): string | undefined {
  const start = new TextDecoder("windows-1252").decode(bytes.subarray(0, 1024));
  return (/<\?xml[^>]*encoding\s*=\s*["']([\w:.-]+)/i.exec(start) ??
    /<meta[^>]*charset\s*=\s*["']?([\w:.-]+)/i.exec(start))?.[1];
}

function factsOf(
  page: DefaultTreeAdapterTypes.Document,
): Pick<Parsed, "metadata"> & Partial<Pick<Parsed, "title" | "cover" | "language">> {
  const title = findAll(page, (element) => element.tagName === "title")[0];
  const root = findAll(page, (element) => element.tagName === "html")[0];
  const language = root === undefined ? undefined : (attribute(root, "lang") ?? attribute(root, "xml:lang"));
  const filing = filingOf(page);
  return {
    metadata: { ...(filing && { organization: filing.organization }), ...metaOf(page) },
    ...(filing && { cover: filing.cover }),
    ...(title === undefined ? {} : { title: plainText(title) }),
    ...(language === undefined ? {} : { language }),
  };
}

/**
 * Who filed a report with an authority, and which: yearly reports are pages whose facts are marked (Inline XBRL, "document
 * and entity information"), while their own headings begin with the authority's name.
 */
function filingOf(page: Node): { readonly organization: string; readonly cover: string } | undefined {
  const facts = new Map<string, string>();
  for (const fact of findAll(page, ({ tagName }) => tagName === "ix:nonnumeric")) {
    const name = attribute(fact, "name")?.replace(/^dei:/, "") ?? "";
    if (!facts.has(name)) facts.set(name, plainText(fact));
  }
  const organization = facts.get("EntityRegistrantName");
  const kind = facts.get("DocumentType");
  if (!organization || !kind) return undefined;
  const period = facts.get("DocumentPeriodEndDate") ?? facts.get("DocumentFiscalYearFocus") ?? "";
  return { organization, cover: `${organization}: ${kind} ${period}`.trim() };
}

/** Metadata keys by the names under which pages give them, best first. */
const metaNames: Readonly<Record<string, readonly string[]>> = {
  author: ["author", "article:author", "dc.creator", "dcterms.creator", "citation_author"],
  description: ["description", "og:description", "dc.description"],
  date: [
    "date",
    "article:published_time",
    "dc.date",
    "dcterms.date",
    "citation_publication_date",
    "last-modified",
  ],
  organization: ["og:site_name", "application-name", "dc.publisher"],
};

function metaOf(page: Node): Metadata {
  const given = new Map<string, string>();
  for (const meta of findAll(page, (element) => element.tagName === "meta")) {
    const name = (attribute(meta, "name") ?? attribute(meta, "property") ?? "").toLowerCase();
    const content = attribute(meta, "content")?.replace(/\s+/g, " ").trim();
    if (content && !given.has(name)) given.set(name, content);
  }
  const entries = Object.entries(metaNames).flatMap(([key, names]) => {
    const value = names.map((name) => given.get(name)).find((content) => content !== undefined);
    return value === undefined ? [] : [[key, value] as const];
  });
  return Object.fromEntries(entries);
}

function plainText(element: Element): string {
  const parts: string[] = [];
  visit(element, {
    enter(node) {
      parts.push(textOf(node) ?? "");
      return true;
    },
  });
  return parts.join("").replace(/\s+/g, " ").trim();
}
