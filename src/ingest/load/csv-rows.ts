/** A row of a table of comma-separated values by its place; `width`: how many cells it has. */
export interface ScannedRow {
  readonly start: number;
  /** Behind its last character, the line end left out. */
  readonly end: number;
  readonly width: number;
}

/**
 * The rows of comma-separated values (RFC 4180, with quotation marks inside unquoted cells taken as they are), blank ones
 * left out. Only where they begin and end: a reader that builds every cell takes a hundred times the memory. Undefined when
 * quotation marks do not pair up.
 */
export function scanRows(text: string, from: number, delimiter: string): readonly ScannedRow[] | undefined {
  const rows: ScannedRow[] = [];
  const first = delimiter.charCodeAt(0);
  let start = from;
  let width = 1;
  let isBlank = true;
  let isCellStart = true;
  const close = (end: number) => {
    if (!isBlank) rows.push({ start, end, width });
    width = 1;
    isBlank = true;
    isCellStart = true;
  };
  for (let at = from; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === 10 || code === 13) {
      close(at);
      if (code === 13 && text.charCodeAt(at + 1) === 10) at++;
      start = at + 1;
    } else if (code === QUOTE && isCellStart) {
      const end = endOfQuoted(text, at);
      if (end < 0) return undefined;
      isBlank &&= text.slice(at + 1, end).trim() === "";
      isCellStart = false;
      at = end;
    } else if (code === first && text.startsWith(delimiter, at)) {
      width++;
      isCellStart = true;
      at += delimiter.length - 1;
    } else {
      isCellStart = false;
      isBlank &&= code <= 32;
    }
  }
  close(text.length);
  return rows;
}

const QUOTE = 0x22;

/** Place of the quotation mark that closes a cell; two in a row stand for one. */
function endOfQuoted(text: string, start: number): number {
  let at = text.indexOf('"', start + 1);
  while (at >= 0 && text.charCodeAt(at + 1) === QUOTE) at = text.indexOf('"', at + 2);
  return at;
}
