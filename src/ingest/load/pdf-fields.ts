import type { PDFPageProxy } from "unpdf/pdfjs";
import type { TextItem } from "./pdf-runs.ts";

/** What people typed into a form, or wrote onto a page, as the library gives it; of other kinds more is there. */
interface Annotation {
  readonly subtype?: string;
  readonly rect?: readonly number[];
  readonly hidden?: boolean;
  readonly fieldType?: string;
  readonly fieldValue?: unknown;
  readonly checkBox?: boolean;
  readonly radioButton?: boolean;
  readonly buttonValue?: unknown;
  readonly password?: boolean;
  readonly contentsObj?: { readonly str?: string };
  readonly titleObj?: { readonly str?: string };
}

/** Height of type in a field, in points, where the field is higher. */
const size = 10;

export interface Fields {
  /** Values of fields and texts typed onto the page, at their places. */
  readonly items: readonly TextItem[];
  /** Comments, which the page only marks. */
  readonly comments: readonly string[];
}

export async function readFields(page: PDFPageProxy): Promise<Fields> {
  const annotations: readonly Annotation[] = await page.getAnnotations().catch(() => []);
  const shown = annotations.filter(({ hidden }) => hidden !== true);
  return {
    items: shown.flatMap((each) => (each.rect === undefined ? [] : itemsOf(shownValue(each), each.rect))),
    comments: shown.flatMap(commentOf),
  };
}

function shownValue(annotation: Annotation): string {
  const { subtype, fieldType, fieldValue, checkBox, radioButton, buttonValue, password } = annotation;
  if (subtype === "FreeText") return annotation.contentsObj?.str ?? "";
  if (subtype !== "Widget" || password === true) return "";
  if (fieldType === "Btn") {
    if (radioButton === true) return fieldValue === buttonValue ? "☑" : "☐";
    return checkBox === true ? (fieldValue === "Off" || !fieldValue ? "☐" : "☑") : "";
  }
  const values: readonly unknown[] = Array.isArray(fieldValue) ? fieldValue : [fieldValue];
  return values.filter((value) => typeof value === "string").join(", ");
}

/** The lines of a value from the top of its field, as if the page had drawn them there. */
function itemsOf(value: string, [x0 = 0, y0 = 0, x1 = 0, y1 = 0]: readonly number[]): readonly TextItem[] {
  const lines = value.split(/[\r\n]+/).filter((line) => line.trim() !== "");
  const height = Math.min(size, y1 - y0, (y1 - y0) / Math.max(1, lines.length));
  const isOneLine = lines.length === 1 && y1 - y0 < 3 * size;
  const top = isOneLine ? (y0 + y1) / 2 + 0.35 * height : y1;
  return lines.map((str, index) => ({
    str,
    dir: "ltr",
    transform: [height, 0, 0, height, x0, top - height * (0.7 + 1.15 * index)],
    width: Math.min(x1 - x0, str.length * 0.5 * height),
    fontName: "field",
  }));
}

function commentOf({ subtype, contentsObj, titleObj }: Annotation): readonly string[] {
  const text = contentsObj?.str?.replace(/\s+/g, " ").trim() ?? "";
  if (text === "" || subtype === "Widget" || subtype === "FreeText" || subtype === "Link") return [];
  const author = titleObj?.str?.trim() ?? "";
  return [`Comment${author === "" ? "" : ` (${author})`}: ${text}`];
}
