import { gridBlocks } from "./grid.ts";
import type { NewBlock } from "./text-builder.ts";
import { attributeOf, descendants, element, readPart, textIn, type XmlElement } from "./xml.ts";
import type { ZipEntry } from "./zip.ts";

/** More points are a curve, not figures that somebody reads. */
const mostPoints = 200;

/** A chart of an office file: its title, and the table it was drawn from as the file remembers it. */
export async function chartBlocks(
  parts: ReadonlyMap<string, ZipEntry>,
  path: string,
): Promise<readonly NewBlock[]> {
  const chart = element(await readPart(parts, path), "chart");
  const title = descendants(element(chart, "title"), "t").map(textIn).join("").trim();
  const series = descendants(element(chart, "plotArea"), "ser");
  const table = tableOf(series);
  return [
    { kind: "paragraph", text: title === "" ? "" : `Chart: ${title}` },
    ...(table.length > mostPoints ? [] : gridBlocks(table, { headerRows: 1 })),
  ];
}

function tableOf(series: readonly XmlElement[]): readonly (readonly string[])[] {
  const values = series.map((each) => pointsOf(element(each, "val") ?? element(each, "yVal")));
  const [first] = series;
  const names = pointsOf(element(first, "cat") ?? element(first, "xVal"));
  const last = Math.max(-1, ...values.flatMap((points) => [...points.keys()]));
  if (last < 0 || last >= mostPoints) return [];
  const head = series.map((each, index) => pointsOf(element(each, "tx")).get(0) ?? `Series ${index + 1}`);
  const rows = Array.from({ length: last + 1 }, (_, index) => [
    names.get(index) ?? String(index + 1),
    ...values.map((points) => points.get(index) ?? ""),
  ]);
  return [["Category", ...head], ...rows];
}

/** Remembered values by their place; a chart leaves out those that are empty. */
function pointsOf(of: XmlElement | undefined): ReadonlyMap<number, string> {
  const points = descendants(of, "pt").map((point): [number, string] => {
    const text = textIn(element(point, "v")).trim();
    const number = Number(text);
    const isNumber = text !== "" && Number.isFinite(number);
    return [Number(attributeOf(point, "idx") ?? 0), isNumber ? String(Number(number.toPrecision(12))) : text];
  });
  const name = points.length === 0 ? textIn(element(of, "v")).trim() : "";
  return new Map(name === "" ? points : [[0, name]]);
}
