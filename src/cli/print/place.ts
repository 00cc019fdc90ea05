import { isAbsolute } from "node:path";
import type { SourcePlace } from "../../spec/index.ts";
import type { View } from "../io.ts";
import { shortPath, truncate, widthOf } from "./layout.ts";

/** Where something stands in a document. */
export type Place = Omit<SourcePlace, "title" | "start" | "end">;

/** `reports/acme.md:12`, which editors and terminals open; with pages (sheets, slides) for what has them. */
export function placeOf(place: Place, view: View): string {
  const path = isAbsolute(place.uri) ? shortPath(place.uri, view) : place.uri || place.documentId;
  const sheet = sheetOf(place);
  if (sheet !== undefined) return `${path}, sheet ${sheet}`;
  if (place.pages !== undefined) return `${path}, ${range(pageWord(place), place.pages)}`;
  return `${path}:${place.lines[0]}`;
}

/** Place and heading path on one line of at most `width` columns; the place is never cut. */
export function placeLine(place: Place, view: View, width: number): string {
  const where = placeOf(place, view);
  const room = width - widthOf(where) - 2;
  const further = sheetOf(place) === undefined ? place.headings : place.headings.slice(1);
  const headings = room < 10 ? "" : truncate(further.join(" > "), room);
  return headings === "" ? view.paint.cyan(where) : `${view.paint.cyan(where)}  ${headings}`;
}

/** Name of the one sheet of a workbook that it stands on: its first heading. */
function sheetOf(place: Place): string | undefined {
  const isOne = place.pages !== undefined && place.pages[0] === place.pages[1];
  return isOne && pageWord(place) === "sheet" ? place.headings[0] : undefined;
}

/** What a program calls the pages of its files. */
function pageWord({ uri, documentId }: Place): "page" | "sheet" | "slide" {
  const name = uri || documentId;
  if (/\.(xls[xm]|ods)$/iu.test(name)) return "sheet";
  return /\.(ppt[xm]|odp)$/iu.test(name) ? "slide" : "page";
}

/** "line 3" or "lines 3–9". */
export function range(word: string, [first, last]: readonly [number, number]): string {
  return first === last ? `${word} ${first}` : `${word}s ${first}–${last}`;
}
