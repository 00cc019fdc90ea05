import { descendants, element, elements, localName, parseXml, textIn, type XmlElement } from "./xml.ts";

/** The formulas of a Word document as words of its text, written on one line: `x^2`, `(a+b)/c`, `√(x)`. */
export async function withFormulas(xml: string): Promise<string> {
  if (!xml.includes("<m:oMath")) return xml;
  const open = xml.replace(
    /<m:oMathParaPr\b[^>]*(?:\/>|>[\s\S]*?<\/m:oMathParaPr>)|<\/?m:oMathPara\b[^>]*>/g,
    "",
  );
  const formula = /<m:oMath\b[^>]*>[\s\S]*?<\/m:oMath>/g;
  const lines = await Promise.all(
    Array.from(open.matchAll(formula), async ([found]) => lineOf(await parseXml(found))),
  );
  let next = 0;
  return open.replace(
    formula,
    () => `<w:r><w:t xml:space="preserve">${escaped(lines[next++] ?? "")}</w:t></w:r>`,
  );
}

/** What stands for the parts of a formula in a line; every other part is its text. */
const shapes: Readonly<Record<string, (of: XmlElement) => string>> = {
  f: (of) => `${grouped(of, "num")}/${grouped(of, "den")}`,
  sSup: (of) => `${part(of, "e")}^${grouped(of, "sup")}`,
  sSub: (of) => `${part(of, "e")}_${grouped(of, "sub")}`,
  sSubSup: (of) => `${part(of, "e")}_${grouped(of, "sub")}^${grouped(of, "sup")}`,
  rad: (of) => `${part(of, "deg")}√${grouped(of, "e")}`,
  nary: (of) => {
    const sign = attribute(element(of, "naryPr", "chr")) ?? "∫";
    const [sub, sup] = [part(of, "sub"), part(of, "sup")];
    return `${sign}${sub === "" ? "" : `_${grouped(of, "sub")}`}${sup === "" ? "" : `^${grouped(of, "sup")}`} ${part(of, "e")}`;
  },
  d: (of) => {
    const pr = element(of, "dPr");
    const [begin, end] = [attribute(element(pr, "begChr")) ?? "(", attribute(element(pr, "endChr")) ?? ")"];
    return begin + elements(of, "e").map(lineOf).join(", ") + end;
  },
  m: (of) =>
    `[${elements(of, "mr")
      .map((row) => elements(row, "e").map(lineOf).join(", "))
      .join("; ")}]`,
  r: (of) => descendants(of, "t").map(textIn).join(""),
};

function lineOf(of: XmlElement): string {
  return elements(of)
    .map((each) => (/Pr$/.test(localName(each)) ? "" : (shapes[localName(each)] ?? lineOf)(each)))
    .join("");
}

function part(of: XmlElement, name: string): string {
  const found = element(of, name);
  return found === undefined ? "" : lineOf(found);
}

function grouped(of: XmlElement, name: string): string {
  const line = part(of, name);
  return Array.from(line).length <= 1 || /^[\p{L}\d]+$/u.test(line) ? line : `(${line})`;
}

function attribute(of: XmlElement | undefined): string | undefined {
  return of === undefined
    ? undefined
    : Object.entries(of.attribs).find(([key]) => /(^|:)val$/.test(key))?.[1];
}

function escaped(text: string): string {
  return text.replace(/&/g, "&amp;").replace(/</g, "&lt;").replace(/>/g, "&gt;");
}
