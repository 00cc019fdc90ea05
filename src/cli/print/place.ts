import { isAbsolute } from "node:path";
import type { SourcePlace } from "../../spec/index.ts";
import type { View } from "../io.ts";
import { shortPath, truncate, widthOf } from "./layout.ts";

/** Where something stands in a document. */
export type Place = Omit<SourcePlace, "title" | "start" | "end">;

/** `reports/acme.md:12`, which editors and terminals open; with pages for what has them. */
export function placeOf(place: Place, view: View): string {
  const path = isAbsolute(place.uri) ? shortPath(place.uri, view) : place.uri || place.documentId;
  if (place.pages !== undefined) return `${path}, ${range("page", place.pages)}`;
  return `${path}:${place.lines[0]}`;
}

/** Place and heading path on one line of at most `width` columns; the place is never cut. */
export function placeLine(place: Place, view: View, width: number): string {
  const where = placeOf(place, view);
  const room = width - widthOf(where) - 2;
  const headings = room < 10 ? "" : truncate(place.headings.join(" > "), room);
  return headings === "" ? view.paint.cyan(where) : `${view.paint.cyan(where)}  ${headings}`;
}

/** "line 3" or "lines 3–9". */
export function range(word: string, [first, last]: readonly [number, number]): string {
  return first === last ? `${word} ${first}` : `${word}s ${first}–${last}`;
}
