import { KonteksError, type Metadata } from "../../spec/index.ts";
import { gridBlocks } from "./grid.ts";
import { createTextBuilder, type TextBuilder } from "./text-builder.ts";
import type { FoundFile, Parsed } from "./types.ts";

/** What a group of the file changes until it ends. */
interface State {
  /** "text", the name of a property that is collected, or "" for what is no text (fonts, pictures, …). */
  into: string;
  /** How many characters stand for one of \u, for readers that do not know it. */
  fallback: number;
  bold: boolean;
}

/** Groups that hold no text of the document. Those that begin with \* and are not known are left out as well. */
const silent = new Set(
  (
    "fonttbl colortbl stylesheet listtable listoverridetable pict object fldinst themedata colorschememapping datastore " +
    "latentstyles rsidtbl generator xmlnstbl header headerl headerr headerf footer footerl footerr footerf bkmkstart bkmkend " +
    "revtbl filetbl nonshppict shpinst mmathPr pgptbl annotation atnid atnauthor"
  ).split(" "),
);

const properties = new Set(["title", "author", "subject", "keywords"]);

const characters: Readonly<Record<string, string>> = {
  tab: "\t",
  line: "\n",
  emdash: "—",
  endash: "–",
  lquote: "‘",
  rquote: "’",
  ldblquote: "“",
  rdblquote: "”",
  bullet: "•",
  emspace: " ",
  enspace: " ",
  "~": "\u00A0",
  _: "\u2011",
};

const token = /\\([a-z]+)(-?\d+)? ?|\\'([0-9a-fA-F]{2})|\\([^a-z'])|([{}])|[\r\n]+|([^\\{}\r\n]+)/gi;

/** Deepest nesting of groups that is followed; each costs a little memory. */
const deepest = 10_000;

/** Rich Text Format (version 1.9.1): paragraphs, headings by their outline level, tables; no pictures, no formatting. */
export function loadRtf(bytes: Uint8Array, file: FoundFile): Parsed {
  const source = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString("latin1");
  const builder = createTextBuilder();
  const reader = createReader(builder);
  for (const [, word, number, hex, symbol, brace, text] of source.matchAll(token)) {
    if (brace !== undefined) reader.group(brace === "{", file);
    else if (hex !== undefined) reader.byte(Number.parseInt(hex, 16));
    else if (word !== undefined) reader.word(word, number === undefined ? undefined : Number(number));
    else if (symbol !== undefined) reader.symbol(symbol);
    else if (text !== undefined) reader.text(text);
  }
  const facts = reader.finish();
  const { pages: _, ...written } = builder.finish();
  return { ...written, format: "rtf", warnings: [], ...facts };
}

/** Long because it is one machine: every word of the file changes the same few variables. */
function createReader(builder: TextBuilder) {
  const states: State[] = [];
  let state: State = { into: "text", fallback: 1, bold: false };
  let codePage = "windows-1252";
  let pending: number[] = [];
  let skip = 0;
  let line = "";
  let level: number | undefined;
  let isOptional = false;
  let inTable = false;
  let row: string[] = [];
  let rows: string[][] = [];
  const facts = new Map<string, string>();

  function write(text: string): void {
    if (state.into === "text") line += text;
    else if (state.into !== "") facts.set(state.into, (facts.get(state.into) ?? "") + text);
  }

  /** Bytes of one character may come in several escapes, so they are decoded together. */
  function flushBytes(): void {
    if (pending.length === 0) return;
    const bytes = Uint8Array.from(pending);
    pending = [];
    write(new TextDecoder(codePage).decode(bytes));
  }

  function endTable(): void {
    for (const block of gridBlocks(rows)) builder.add(block);
    rows = [];
  }

  function endParagraph(): void {
    if (inTable) {
      line += " ";
      return;
    }
    endTable();
    const text = line.trim();
    builder.add(level === undefined ? { kind: "paragraph", text } : { kind: "heading", level, text });
    line = "";
  }

  function endCell(): void {
    row.push(line);
    line = "";
  }

  function endRow(): void {
    if (line.trim() !== "") endCell();
    rows.push(row);
    row = [];
    inTable = false;
  }

  function character(code: number): void {
    write(String.fromCharCode(code < 0 ? code + 65_536 : code));
    skip = state.fallback;
  }

  function destination(name: string): boolean {
    if (silent.has(name)) state.into = "";
    else if (properties.has(name) && state.into === "info") state.into = name;
    else if (name === "info") state.into = "info";
    else if (isOptional && name !== "shptxt" && name !== "footnote") state.into = "";
    else return false;
    return true;
  }

  const commands: Readonly<Record<string, (number: number | undefined) => void>> = {
    par: endParagraph,
    sect: endParagraph,
    page: endParagraph,
    cell: endCell,
    nestcell: endCell,
    row: endRow,
    nestrow: endRow,
    intbl: () => {
      inTable = true;
    },
    pard: () => {
      level = undefined;
      inTable = false;
    },
    outlinelevel: (number = 0) => {
      level = Math.min(number, 8) + 1;
    },
    u: (number = 63) => character(number),
    uc: (number = 1) => {
      state.fallback = number;
    },
    ansicpg: (number = 1252) => {
      codePage = encodingOf(number);
    },
  };

  return {
    group(opens: boolean, file: FoundFile) {
      flushBytes();
      skip = 0;
      if (!opens) {
        state = states.pop() ?? state;
        isOptional = false;
        return;
      }
      if (states.length >= deepest) throw tooDeep(file);
      states.push(state);
      state = { ...state };
    },
    byte(value: number) {
      if (skip > 0) skip--;
      else pending.push(value);
    },
    word(name: string, number: number | undefined) {
      flushBytes();
      const wasDestination = destination(name);
      isOptional = false;
      if (wasDestination || state.into === "") return;
      const written = characters[name];
      if (written !== undefined) write(written);
      else commands[name]?.(number);
    },
    symbol(sign: string) {
      flushBytes();
      if (sign === "*") isOptional = true;
      else if (sign === "\n" || sign === "\r") endParagraph();
      else write(characters[sign] ?? (/[\\{}]/.test(sign) ? sign : ""));
    },
    text(text: string) {
      const shown = text.slice(skip);
      skip = Math.max(0, skip - text.length);
      flushBytes();
      // Bytes above ASCII stand bare in files of careless programs.
      write(
        /[\x80-\xff]/.test(shown) ? new TextDecoder(codePage).decode(Buffer.from(shown, "latin1")) : shown,
      );
    },
    finish(): Pick<Parsed, "metadata"> & { readonly title?: string } {
      flushBytes();
      if (row.length > 0) endRow();
      inTable = false;
      endParagraph();
      endTable();
      return factsOf(facts);
    },
  };
}

function factsOf(facts: ReadonlyMap<string, string>): Pick<Parsed, "metadata"> & { readonly title?: string } {
  const of = (name: string) => facts.get(name)?.trim() || undefined;
  const title = of("title");
  const entries = [
    ["author", of("author")],
    ["description", of("subject")],
    ["keywords", of("keywords")],
  ].filter(([, value]) => value !== undefined);
  return { metadata: Object.fromEntries(entries) satisfies Metadata, ...(title !== undefined && { title }) };
}

const codePages: Readonly<Record<number, string>> = {
  874: "windows-874",
  932: "shift_jis",
  936: "gbk",
  949: "euc-kr",
  950: "big5",
  10000: "macintosh",
  65001: "utf-8",
};

function encodingOf(codePage: number): string {
  const known = codePages[codePage];
  if (known !== undefined) return known;
  return codePage >= 1250 && codePage <= 1258 ? `windows-${codePage}` : "windows-1252";
}

function tooDeep(file: FoundFile): KonteksError {
  return new KonteksError(
    "unreadable",
    `"${file.id}" nests its groups too deep to be a document. Save it anew.`,
    {
      facts: { path: file.path },
    },
  );
}
