/** What a file's bytes say it is, where they say it: a format read, or the name of a kind that is not. */
export type Sniffed =
  | { readonly format: SniffedFormat }
  | { readonly unsupported: string }
  | { readonly encrypted: string };

export type SniffedFormat = "pdf" | "docx" | "xlsx" | "pptx" | "odt" | "ods" | "odp" | "epub" | "rtf";

const ascii = (text: string): readonly number[] => Array.from(text, (letter) => letter.charCodeAt(0));

const signatures: readonly {
  readonly at?: number;
  readonly bytes: readonly number[];
  readonly kind: string;
}[] = [
  { bytes: [0x89, ...ascii("PNG")], kind: "a PNG image" },
  { bytes: [0xff, 0xd8, 0xff], kind: "a JPEG image" },
  { bytes: ascii("GIF8"), kind: "a GIF image" },
  { bytes: ascii("WEBP"), at: 8, kind: "a WebP image" },
  { bytes: [0x49, 0x49, 0x2a, 0], kind: "a TIFF image" },
  { bytes: [0x4d, 0x4d, 0, 0x2a], kind: "a TIFF image" },
  { bytes: [0, 0, 1, 0], kind: "an icon" },
  { bytes: ascii("%!PS"), kind: "a PostScript file" },
  { bytes: [0x1f, 0x8b], kind: "a gzip archive" },
  { bytes: ascii("BZh"), kind: "a bzip2 archive" },
  { bytes: [0xfd, ...ascii("7zXZ")], kind: "an xz archive" },
  { bytes: [0x28, 0xb5, 0x2f, 0xfd], kind: "a Zstandard archive" },
  { bytes: [0x37, 0x7a, 0xbc, 0xaf], kind: "a 7-Zip archive" },
  { bytes: ascii("Rar!"), kind: "a RAR archive" },
  { bytes: ascii("ustar"), at: 257, kind: "a tar archive" },
  { bytes: ascii("SQLite format 3"), kind: "an SQLite database" },
  { bytes: [0x7f, ...ascii("ELF")], kind: "a program" },
  { bytes: [0xca, 0xfe, 0xba, 0xbe], kind: "a program" },
  { bytes: [0xcf, 0xfa, 0xed, 0xfe], kind: "a program" },
  { bytes: [0, ...ascii("asm")], kind: "a WebAssembly module" },
  { bytes: ascii("ftyp"), at: 4, kind: "a video or audio file" },
  { bytes: ascii("ID3"), kind: "an audio file" },
  { bytes: ascii("OggS"), kind: "an audio file" },
  { bytes: ascii("fLaC"), kind: "an audio file" },
  { bytes: ascii("RIFF"), kind: "a video or audio file" },
  { bytes: [0x1a, 0x45, 0xdf, 0xa3], kind: "a video file" },
  { bytes: ascii("wOF"), kind: "a font" },
  { bytes: ascii("OTTO"), kind: "a font" },
  { bytes: ascii("PAR1"), kind: "a Parquet file" },
];

/** Undefined when the bytes carry no signature, as text does. */
export function sniff(bytes: Uint8Array): Sniffed | undefined {
  if (latin1(bytes.subarray(0, 1024)).includes("%PDF-")) return { format: "pdf" };
  if (starts(bytes, [0x50, 0x4b, 0x03, 0x04])) return sniffZip(bytes);
  if (starts(bytes, ascii("{\\rtf"))) return { format: "rtf" };
  if (starts(bytes, [0xd0, 0xcf, 0x11, 0xe0])) return sniffCompound(bytes);
  const found = signatures.find((signature) => starts(bytes, signature.bytes, signature.at));
  return found === undefined ? undefined : { unsupported: found.kind };
}

/** What stands in the bytes of an archive that is an office file: the name of a part, or its stated type. */
const office: readonly (readonly [mark: string, format: SniffedFormat])[] = [
  ["word/document", "docx"],
  ["xl/workbook.xml", "xlsx"],
  ["ppt/presentation", "pptx"],
  ["application/epub+zip", "epub"],
  ["application/vnd.oasis.opendocument.text", "odt"],
  ["application/vnd.oasis.opendocument.spreadsheet", "ods"],
  ["application/vnd.oasis.opendocument.presentation", "odp"],
];

/** Office files are zip archives; the names of their parts stand in the directory at the end. */
function sniffZip(bytes: Uint8Array): Sniffed {
  const names = latin1(bytes.subarray(0, 4096)) + latin1(bytes.subarray(-262_144));
  const known = office.find(([part]) => names.includes(part));
  if (known !== undefined) return { format: known[1] };
  if (names.includes("xl/workbook.bin")) return { unsupported: "a binary Excel workbook (.xlsb)" };
  if (names.includes("application/vnd.oasis.opendocument")) return { unsupported: "an OpenDocument drawing" };
  if (names.includes("META-INF/container.xml")) return { format: "epub" };
  if (names.includes("META-INF/MANIFEST.MF")) return { unsupported: "a Java archive" };
  return { unsupported: "a zip archive that is not named .zip" };
}

/** The container of Office before 2007, which encrypted Office files still use. Names in it are UTF-16. */
function sniffCompound(bytes: Uint8Array): Sniffed {
  const text = latin1(bytes).replaceAll("\0", "");
  if (text.includes("EncryptedPackage")) return { encrypted: "an Office file with a password" };
  if (text.includes("WordDocument")) return { unsupported: "a Word document of before 2007 (.doc)" };
  if (text.includes("PowerPoint Document"))
    return { unsupported: "a PowerPoint presentation of before 2007 (.ppt)" };
  if (text.includes("Workbook")) return { unsupported: "an Excel workbook of before 2007 (.xls)" };
  return { unsupported: "an Office or Outlook file of before 2007" };
}

function starts(bytes: Uint8Array, signature: readonly number[], at = 0): boolean {
  return signature.every((byte, index) => bytes[at + index] === byte);
}

function latin1(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString("latin1");
}
