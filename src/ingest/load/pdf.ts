import type { PDFDocumentProxy, PDFPageProxy } from "unpdf/pdfjs";
import { KonteksError, type Metadata } from "../../spec/index.ts";
import { readBlocks, readType } from "./pdf-blocks.ts";
import { lettersOf, splitColumns } from "./pdf-columns.ts";
import { readFields } from "./pdf-fields.ts";
import { mayBeTurned, turnedWords, withWords } from "./pdf-ligatures.ts";
import { type Line, readLines } from "./pdf-lines.ts";
import { characterMaps } from "./pdf-maps.ts";
import { findRunning } from "./pdf-running.ts";
import { readRuns, type TextItem } from "./pdf-runs.ts";
import { checkStreams } from "./pdf-streams.ts";
import { createTextBuilder } from "./text-builder.ts";
import type { FoundFile, LoadOptions, Parsed } from "./types.ts";

const defaultTimeLimitMs = 60_000;

/** The columns of a page, each with its lines; `failure` when the page could not be read. */
interface ReadPage {
  readonly number: number;
  readonly columns: readonly (readonly Line[])[];
  readonly comments?: readonly string[];
  readonly failure?: string;
}

/**
 * The text of a PDF in reading order, with its pages. Fonts, colours and pictures are not looked at.
 *
 * @throws KonteksError "encrypted", "unreadable", "no-text" (a scan), "aborted"
 */
export async function loadPdf(bytes: Uint8Array, file: FoundFile, options: LoadOptions): Promise<Parsed> {
  checkStreams(bytes, file);
  const pdf = await open(bytes, file, options);
  try {
    const [facts, pages] = [await readFacts(pdf), await readPages(pdf, file, options)];
    if (pages.every(({ columns }) => columns.length === 0)) throw noText(file, pages);
    const written = writePages(pages);
    return {
      ...written,
      format: "pdf",
      warnings: [...warningsOf(pages), ...sparse(written.text, pages)],
      ...facts,
    };
  } finally {
    await pdf.loadingTask.destroy();
  }
}

async function open(bytes: Uint8Array, file: FoundFile, options: LoadOptions): Promise<PDFDocumentProxy> {
  const { getDocumentProxy } = await import("unpdf");
  const password = options.pdf?.password;
  const cMapUrl = characterMaps();
  try {
    // The library keeps what it is given, and refuses Node's own buffers.
    return await getDocumentProxy(new Uint8Array(bytes), {
      verbosity: 0,
      disableFontFace: true,
      useWorkerFetch: false,
      // Pictures are not looked at, so they need not be unpacked.
      maxImageSize: 1,
      ...(cMapUrl === undefined ? {} : { cMapUrl, cMapPacked: true }),
      ...(password === undefined ? {} : { password }),
    });
  } catch (cause) {
    throw openError(cause, file, password !== undefined);
  }
}

function openError(cause: unknown, file: FoundFile, withPassword: boolean): KonteksError {
  const facts = { path: file.path };
  if (cause instanceof Error && cause.name === "PasswordException") {
    const what = withPassword ? "does not open with the given password" : "is encrypted";
    return new KonteksError(
      "encrypted",
      `"${file.id}" ${what}. Give its password (--password; library: password), or save a copy without one.`,
      { facts, cause },
    );
  }
  const reason = cause instanceof Error ? cause.message : String(cause);
  return new KonteksError(
    "unreadable",
    `"${file.id}" is damaged: it cannot be opened as a PDF (${reason}). Open it in a viewer and save it anew.`,
    { facts, cause },
  );
}

async function readPages(
  pdf: PDFDocumentProxy,
  file: FoundFile,
  options: LoadOptions,
): Promise<readonly ReadPage[]> {
  const limit = options.pdf?.timeLimitMs ?? defaultTimeLimitMs;
  const deadline = performance.now() + limit;
  const pages: ReadPage[] = [];
  for (let number = 1; number <= pdf.numPages; number++) {
    if (options.signal?.aborted)
      throw new KonteksError("aborted", `Reading "${file.id}" was stopped. Run it again to go on.`);
    const isLate = performance.now() > deadline;
    pages.push(
      isLate
        ? { number, columns: [], failure: `left unread after ${limit / 1000} s` }
        : await readPage(pdf, number),
    );
  }
  return pages;
}

async function readPage(pdf: PDFDocumentProxy, number: number): Promise<ReadPage> {
  try {
    const page = await pdf.getPage(number);
    const { items, comments } = await readFields(page);
    const columns = await readColumns(page, items);
    page.cleanup();
    return { number, columns, comments };
  } catch (cause) {
    return {
      number,
      columns: [],
      failure: `damaged (${cause instanceof Error ? cause.message : String(cause)})`,
    };
  }
}

async function readColumns(
  page: PDFPageProxy,
  fields: readonly TextItem[],
): Promise<readonly (readonly Line[])[]> {
  const texts = [...(await readTexts(page)), ...fields];
  const [main = [], ...asides] = readRuns(texts, page.getViewport({ scale: 1 }).transform);
  const turned = asides.flatMap((runs) => splitColumns(runs).map(readLines));
  return [
    ...splitColumns(main).map(readLines),
    ...turned.map((lines) => lines.map((line) => ({ ...line, aside: true }))),
  ];
}

async function readTexts(page: PDFPageProxy): Promise<readonly TextItem[]> {
  const { items } = await page.getTextContent({ disableNormalization: true });
  const texts: TextItem[] = items.flatMap((item) => ("str" in item ? [item] : []));
  if (!texts.some(({ str, dir }) => dir === "rtl" && mayBeTurned(str))) return texts;
  const words = await turnedWords(page);
  return texts.map((text) => (text.dir === "rtl" ? { ...text, str: withWords(text.str, words) } : text));
}

function writePages(pages: readonly ReadPage[]): Pick<Parsed, "text" | "blocks" | "outline" | "pages"> {
  const byPage = pages.map(({ columns }) => columns.flat());
  const running = findRunning(byPage);
  const type = readType(byPage.flat().filter(({ aside }) => !aside));
  const builder = createTextBuilder();
  for (const { number, columns, comments = [] } of pages) {
    builder.page(number);
    for (const lines of columns) {
      for (const part of splitRunning(lines, running)) {
        const isRunning = part.some((line) => running.has(line));
        if (isRunning) builder.add({ kind: "metadata", text: part.map(({ text }) => text) });
        else for (const block of readBlocks(part, type)) builder.add(block);
      }
    }
    for (const text of comments) builder.add({ kind: "paragraph", text });
  }
  return builder.finish();
}

/** Stretches of lines that all run on, or all do not. */
function splitRunning(lines: readonly Line[], running: ReadonlySet<Line>): readonly (readonly Line[])[] {
  const parts: Line[][] = [];
  for (const line of lines) {
    const last = parts.at(-1);
    if (last?.[0] !== undefined && running.has(last[0]) === running.has(line)) last.push(line);
    else parts.push([line]);
  }
  return parts;
}

async function readFacts(
  pdf: PDFDocumentProxy,
): Promise<Pick<Parsed, "metadata"> & Partial<Pick<Parsed, "title" | "language">>> {
  const info = await pdf.getMetadata().then(
    (found): Readonly<Record<string, unknown>> => ({ ...found.info }),
    (): Readonly<Record<string, unknown>> => ({}),
  );
  const of = (key: string) =>
    typeof info[key] === "string" && !isEmpty(info[key]) ? info[key].trim() : undefined;
  const [title, language, created] = [of("Title"), of("Language"), isoDate(of("CreationDate"))];
  const metadata: Record<string, string> = {};
  for (const [key, value] of [
    ["author", of("Author")],
    ["description", of("Subject")],
    ["date", created],
  ] as const) {
    if (value !== undefined) metadata[key] = value;
  }
  return {
    metadata: metadata satisfies Metadata,
    ...(title === undefined ? {} : { title }),
    ...(language === undefined ? {} : { language }),
  };
}

/** Programs write that they were told nothing. */
function isEmpty(value: string): boolean {
  return /^\s*(\(?(anonymous|unspecified|untitled|unknown)\)?)?\s*$/i.test(value);
}

/** "D:20201002001208Z" as "2020-10-02". */
function isoDate(date: string | undefined): string | undefined {
  const parts = /^(?:D:)?(\d{4})(\d{2})(\d{2})/.exec(date ?? "");
  return parts === null ? undefined : `${parts[1]}-${parts[2]}-${parts[3]}`;
}

function warningsOf(pages: readonly ReadPage[]): readonly string[] {
  const failed = pages.filter(({ failure }) => failure !== undefined);
  const empty = pages.filter(({ columns, failure }) => columns.length === 0 && failure === undefined);
  return [
    ...[...Map.groupBy(failed, ({ failure }) => failure)].map(
      ([failure, some]) => `${named(some)} ${some.length > 1 ? "are" : "is"} ${failure}.`,
    ),
    ...(empty.length === 0
      ? []
      : [`${named(empty)} ${empty.length > 1 ? "have" : "has"} no text layer: blank, or scanned pictures.`]),
  ];
}

/** A stamp or a page number on a scanned page is text, but not the page's. */
function sparse(text: string, pages: readonly ReadPage[]): readonly string[] {
  const filled = pages.filter(({ columns }) => columns.length > 0);
  if (lettersOf(text) >= 20 * filled.length) return [];
  return [
    `${named(filled)} ${filled.length > 1 ? "have" : "has"} hardly any text: probably scanned pictures.`,
  ];
}

function noText(file: FoundFile, pages: readonly ReadPage[]): KonteksError {
  const failed = pages.filter(({ failure }) => failure !== undefined);
  const facts = { path: file.path, pages: pages.map(({ number }) => number) };
  if (failed.length > 0) {
    return new KonteksError(
      "unreadable",
      `"${file.id}" gave no text: ${warningsOf(pages).join(" ")} Open it in a viewer and save it anew.`,
      { facts },
    );
  }
  return new KonteksError(
    "no-text",
    `"${file.id}" has no text layer on ${named(pages).toLowerCase()}: it is a scan or pictures only. Run text recognition (OCR) on it first.`,
    { facts },
  );
}

/** "Page 3", "Pages 1–3, 7". */
function named(pages: readonly ReadPage[]): string {
  const spans: [number, number][] = [];
  for (const { number } of pages) {
    const last = spans.at(-1);
    if (last !== undefined && last[1] === number - 1) last[1] = number;
    else spans.push([number, number]);
  }
  const list = spans.map(([first, end]) => (first === end ? `${first}` : `${first}–${end}`)).join(", ");
  return `${pages.length === 1 ? "Page" : "Pages"} ${list}`;
}
