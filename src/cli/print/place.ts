import { isAbsolute } from "node:path";
import type { View } from "../io.ts";
import { shortPath } from "./layout.ts";

/** Where something stands in a document. */
export interface Place {
  readonly documentId: string;
  readonly uri: string;
  readonly headings: readonly string[];
  readonly lines: readonly [first: number, last: number];
  readonly pages?: readonly [first: number, last: number];
}

/** `reports/acme.md:12`, which editors and terminals open; with pages for what has them. */
export function placeOf(place: Place, view: View): string {
  const path = isAbsolute(place.uri) ? shortPath(place.uri, view) : place.uri || place.documentId;
  if (place.pages !== undefined) return `${path}, ${range("page", place.pages)}`;
  return `${path}:${place.lines[0]}`;
}

export function headingPath({ headings }: Place): string {
  return headings.join(" > ");
}

/** "line 3" or "lines 3–9". */
export function range(word: string, [first, last]: readonly [number, number]): string {
  return first === last ? `${word} ${first}` : `${word}s ${first}–${last}`;
}
