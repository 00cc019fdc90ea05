import { crc32 } from "node:zlib";

/** Text at a place of a page, in points from the lower left corner. */
export interface Placed {
  readonly text: string;
  readonly x: number;
  readonly y: number;
  readonly size?: number;
  /** Degrees, against the clock. Default 0. */
  readonly angle?: number;
  readonly bold?: boolean;
}

/** The smallest PDF that has these pages, in Helvetica. For tests. */
export function makePdf(pages: readonly (readonly Placed[])[], info = ""): Uint8Array {
  const objects = [
    "<< /Type /Catalog /Pages 2 0 R >>",
    "",
    "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>",
    `<< ${info} >>`,
  ];
  const kids = pages.map((placed) => {
    const drawn = placed.map(
      ({ text, x, y, size = 10, angle = 0, bold = false }) =>
        `BT /${bold ? "F2" : "F1"} ${size} Tf ${turned(angle)} ${x} ${y} Tm (${text.replace(/[()\\]/g, "\\$&")}) Tj ET`,
    );
    const stream = drawn.join("\n");
    objects.push(`<< /Length ${stream.length} >>\nstream\n${stream}\nendstream`);
    objects.push(
      `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 1200 800] /Resources << /Font << /F1 3 0 R /F2 << /Type /Font /Subtype /Type1 /BaseFont /Helvetica-Bold /Encoding /WinAnsiEncoding >> >> >> /Contents ${objects.length} 0 R >>`,
    );
    return `${objects.length} 0 R`;
  });
  objects[1] = `<< /Type /Pages /Kids [${kids.join(" ")}] /Count ${kids.length} >>`;
  return pdfOf(objects);
}

function turned(angle: number): string {
  const [cos, sin] = [Math.cos((angle * Math.PI) / 180), Math.sin((angle * Math.PI) / 180)];
  return [cos, sin, -sin, cos].map((part) => part.toFixed(4)).join(" ");
}

/** A PDF of one line in a font that is only named, as old programs for Chinese, Japanese and Korean write it. For tests. */
export function makeCjkPdf(ordering: string, encoding: string, hex: string): Uint8Array {
  const [registry, name] = ordering.split("-");
  const stream = `BT /F1 10 Tf 72 700 Td <${hex}> Tj ET`;
  return pdfOf([
    "<< /Type /Catalog /Pages 2 0 R >>",
    "<< /Type /Pages /Kids [7 0 R] /Count 1 >>",
    `<< /Type /Font /Subtype /Type0 /BaseFont /Mincho /Encoding /${encoding} /DescendantFonts [5 0 R] >>`,
    "<< >>",
    `<< /Type /Font /Subtype /CIDFontType0 /BaseFont /Mincho /CIDSystemInfo << /Registry (${registry}) /Ordering (${name}) /Supplement 2 >> /FontDescriptor 8 0 R >>`,
    `<< /Length ${stream.length} >>\nstream\n${stream}\nendstream`,
    "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 1200 800] /Resources << /Font << /F1 3 0 R >> >> /Contents 6 0 R >>",
    "<< /Type /FontDescriptor /FontName /Mincho /Flags 4 >>",
  ]);
}

/** A PDF of these objects, numbered from 1: the first is the catalog, the fourth the properties. */
function pdfOf(objects: readonly string[]): Uint8Array {
  let body = "%PDF-1.4\n";
  const offsets = objects.map((object, index) => {
    const offset = body.length;
    body += `${index + 1} 0 obj\n${object}\nendobj\n`;
    return String(offset).padStart(10, "0");
  });
  const table = offsets.map((offset) => `${offset} 00000 n \n`).join("");
  const trailer = `trailer << /Size ${objects.length + 1} /Root 1 0 R /Info 4 0 R >>\nstartxref\n${body.length}\n%%EOF`;
  return Buffer.from(
    `${body}xref\n0 ${objects.length + 1}\n0000000000 65535 f \n${table}${trailer}`,
    "latin1",
  );
}

/** A Word document of this body XML, with other parts by name. For tests. */
export function makeDocx(body: string, parts: Readonly<Record<string, string>> = {}): Uint8Array {
  const word = 'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"';
  const relationship = "http://schemas.openxmlformats.org/officeDocument/2006/relationships";
  return makeZip({
    "[Content_Types].xml": '<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"/>',
    "_rels/.rels": `<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="r1" Type="${relationship}/officeDocument" Target="word/document.xml"/></Relationships>`,
    "word/document.xml": `<w:document ${word}><w:body>${body}</w:body></w:document>`,
    ...parts,
  });
}

/** A zip archive of these files, stored as they are. For tests. */
export function makeZip(files: Readonly<Record<string, string | Uint8Array>>): Uint8Array {
  const entries = Object.entries(files).map(([name, content]) => ({
    name: Buffer.from(name),
    data: Buffer.from(content),
  }));
  let offset = 0;
  const places = entries.map(({ name, data }) => {
    const at = offset;
    offset += 30 + name.length + data.length;
    return at;
  });
  const locals = entries.flatMap((entry) => [header(0x04034b50, entry, undefined), entry.name, entry.data]);
  const directory = Buffer.concat(
    entries.flatMap((entry, index) => [header(0x02014b50, entry, places[index]), entry.name]),
  );
  const end = Buffer.alloc(22);
  end.writeUInt32LE(0x06054b50, 0);
  end.writeUInt16LE(entries.length, 8);
  end.writeUInt16LE(entries.length, 10);
  end.writeUInt32LE(directory.length, 12);
  end.writeUInt32LE(offset, 16);
  return Buffer.concat([...locals, directory, end]);
}

/** A local header, or one of the directory when the place of the local one is given. */
function header(
  signature: number,
  { name, data }: { name: Buffer; data: Buffer },
  place: number | undefined,
): Buffer {
  const shift = place === undefined ? 0 : 2;
  const buffer = Buffer.alloc(place === undefined ? 30 : 46);
  buffer.writeUInt32LE(signature, 0);
  buffer.writeUInt16LE(20, 4 + shift);
  buffer.writeUInt32LE(crc32(data), 14 + shift);
  buffer.writeUInt32LE(data.length, 18 + shift);
  buffer.writeUInt32LE(data.length, 22 + shift);
  buffer.writeUInt16LE(name.length, 26 + shift);
  if (place !== undefined) buffer.writeUInt32LE(place, 42);
  return buffer;
}

/** An Office file whose parts lead to each other by these relationships: part → id → [type, target]. For tests. */
export function makeOffice(
  parts: Readonly<Record<string, string>>,
  relations: Readonly<Record<string, Readonly<Record<string, readonly [type: string, target: string]>>>>,
): Uint8Array {
  const files: Record<string, string> = { ...parts };
  for (const [path, targets] of Object.entries(relations)) {
    const at = path.lastIndexOf("/") + 1;
    const rows = Object.entries(targets).map(
      ([id, [type, target]]) => `<Relationship Id="${id}" Type="http://x/${type}" Target="${target}"/>`,
    );
    files[`${path.slice(0, at)}_rels/${path.slice(at)}.rels`] =
      `<Relationships>${rows.join("")}</Relationships>`;
  }
  return makeZip(files);
}
