import { KonteksError, type Metadata } from "../../spec/index.ts";
import { readStructure } from "../../text/structure/index.ts";
import { assemble, type Section } from "./assemble.ts";
import { loadHtml } from "./html.ts";
import type { FoundFile, Parsed } from "./types.ts";

/** Longer outputs are logs and dumps; their beginning says what they are. */
const longestOutput = 20_000;

/** A Jupyter notebook: Markdown as it is written, code, and what the code printed. Pictures are left out. */
export async function loadNotebook(source: string, file: FoundFile): Promise<Parsed> {
  const notebook = parse(source, file);
  const cells =
    listOf(notebook, "cells") ??
    (listOf(notebook, "worksheets") ?? []).flatMap((sheet) => listOf(sheet, "cells") ?? []);
  const warnings: string[] = [];
  const sections: Section[] = [];
  for (const cell of cells) sections.push(...(await readCell(cell, warnings)));
  const { starts: _, ...written } = assemble(sections.filter(({ text }) => text.trim() !== ""));
  return { ...written, format: "notebook", ...factsOf(notebook), warnings };
}

function parse(source: string, file: FoundFile): object {
  try {
    const value: unknown = JSON.parse(source);
    if (typeof value === "object" && value !== null) return value;
  } catch (cause) {
    throw damaged(file, cause);
  }
  throw damaged(file, undefined);
}

function damaged(file: FoundFile, cause: unknown): KonteksError {
  const reason = cause instanceof Error ? ` (${cause.message})` : "";
  return new KonteksError(
    "unreadable",
    `"${file.id}" is no readable notebook${reason}. Open it in Jupyter and save it anew.`,
    { facts: { path: file.path }, cause },
  );
}

async function readCell(cell: unknown, warnings: string[]): Promise<readonly Section[]> {
  const source = textOf(field(cell, "source") ?? field(cell, "input"));
  const kind = field(cell, "cell_type");
  if (kind === "markdown")
    return [readStructure(source, "markdown")].map((read) => ({ text: source, ...read }));
  if (kind !== "code") return [block("paragraph", source)];
  const outputs: Section[] = [];
  for (const output of listOf(cell, "outputs") ?? []) outputs.push(...(await readOutput(output, warnings)));
  return [block("code", source), ...outputs];
}

async function readOutput(output: unknown, warnings: string[]): Promise<readonly Section[]> {
  if (field(output, "output_type") === "error") {
    return [block("code", `${textOf(field(output, "ename"))}: ${textOf(field(output, "evalue"))}`)];
  }
  const data = field(output, "data") ?? output;
  const html = textOf(field(data, "text/html"));
  if (/<table/i.test(html) && html.length < 2_000_000) return [await loadHtml(html, { content: "all" })];
  const text = textOf(field(data, "text/plain") ?? field(data, "text")).replace(ansi, "");
  // A picture's plain form only names its class.
  if (/^<[\w.]+ (size|object|at)\b.*>$|^<Figure.*>$/.test(text.trim())) return [];
  if (text.length > longestOutput)
    warnings.push(`An output of ${text.length.toLocaleString("en")} characters was cut.`);
  return [block("code", text.slice(0, longestOutput))];
}

/** Colours of terminals. */
const ansi = new RegExp(`${String.fromCharCode(27)}\\[[0-9;]*[A-Za-z]`, "g");

function block(kind: "code" | "paragraph", source: string): Section {
  const text = source.replace(/^(\s*\n)+/, "").trimEnd();
  return { text, blocks: text === "" ? [] : [{ kind, start: 0, end: text.length }], outline: [] };
}

function factsOf(notebook: object): Pick<Parsed, "metadata"> & { readonly title?: string } {
  const about = field(notebook, "metadata");
  const title = field(about, "title");
  const language =
    field(field(about, "kernelspec"), "language") ?? field(field(about, "language_info"), "name");
  const metadata: Metadata = typeof language === "string" ? { programmingLanguage: language } : {};
  return { metadata, ...(typeof title === "string" && { title }) };
}

function field(value: unknown, name: string): unknown {
  return typeof value === "object" && value !== null ? (value as Record<string, unknown>)[name] : undefined;
}

function listOf(value: unknown, name: string): readonly unknown[] | undefined {
  const found = field(value, name);
  return Array.isArray(found) ? found : undefined;
}

/** Texts are stored as one string or as a list of lines. */
function textOf(value: unknown): string {
  if (Array.isArray(value)) return value.map((line) => (typeof line === "string" ? line : "")).join("");
  return typeof value === "string" ? value : "";
}
