import { mkdtemp, open, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { deflateRawSync } from "node:zlib";
import { afterEach, beforeEach, expect, it } from "vitest";
import { makeDocx, makeOffice, makeZip } from "../src/ingest/load/make-files.fixture.ts";
import { openKonteks } from "../src/open.ts";

let root: string;
beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), "konteks-bad-"));
});
afterEach(() => rm(root, { recursive: true, force: true }));

/** A file of this size that takes no room on disk. */
async function sparse(name: string, size: number): Promise<void> {
  const file = await open(join(root, name), "w");
  await file.truncate(size);
  await file.close();
}

/** A zip archive of one file that unpacks to so many MiB of zeros. */
function bomb(name: string, mib: number): Uint8Array {
  const zeros = Buffer.alloc(mib * 1024 * 1024);
  const packed = deflateRawSync(zeros);
  const whole = Buffer.from(makeZip({ [name]: packed }));
  // Stored as packed, of the size it unpacks to: in the head of the file, and in the directory.
  const directory = whole.lastIndexOf("PK\u0001\u0002");
  for (const [at, method, size] of [
    [0, 8, 22],
    [directory, 10, 24],
  ] as const) {
    whole.writeUInt16LE(8, at + method);
    whole.writeUInt32LE(zeros.length, at + size);
  }
  return whole;
}

const pdf = (...objects: string[]) => {
  const body = objects.map((object, index) => `${index + 1} 0 obj\n${object}\nendobj\n`).join("");
  return `%PDF-1.4\n${body}trailer << /Root 1 0 R >>\n%%EOF`;
};
const form = "q /F Do Q";

it("bad files each end in a line of their own, and the rest goes on", async () => {
  await sparse("sparse.txt", 2 * 1024 ** 3);
  await sparse("zeros.txt", 3 * 1024 ** 2);
  const nested = "<w:sdt><w:sdtContent>".repeat(50_000);
  const files: Readonly<Record<string, string | Uint8Array>> = {
    "good.md": "# Good\n\nfine words",
    "名前 ☃.md": "# Names\n\nin any script",
    "bomb.zip": bomb("zeros.md", 200),
    "bomb.docx": bomb("word/document.xml", 520),
    "deep.docx": makeDocx(`${nested}<w:p/>`),
    "deep.html": `<body>${"<div>".repeat(100_000)}deep words`,
    "deep.eml": `From: a@b.c\nContent-Type: multipart/mixed; boundary=b\n\n${"--b\nContent-Type: multipart/mixed; boundary=b\n\n".repeat(2000)}`,
    "pages.pdf": pdf("<</Type/Catalog/Pages 2 0 R>>", "<</Type/Pages/Kids[2 0 R]/Count 1000000>>"),
    "forms.pdf": pdf(
      "<</Type/Catalog/Pages 2 0 R>>",
      "<</Type/Pages/Kids[3 0 R]/Count 1>>",
      "<</Type/Page/Parent 2 0 R/MediaBox[0 0 9 9]/Resources<</XObject<</F 4 0 R>>>>/Contents 5 0 R>>",
      `<</Type/XObject/Subtype/Form/BBox[0 0 9 9]/Resources<</XObject<</F 4 0 R>>>>/Length ${form.length}>>stream\n${form}\nendstream`,
      `<</Length ${form.length}>>stream\n${form}\nendstream`,
    ),
    "rows.xlsx": makeOffice(
      {
        "xl/workbook.xml": '<workbook><sheets><sheet name="A" r:id="r1"/></sheets></workbook>',
        "xl/s.xml": `<worksheet><sheetData>${"<row/>".repeat(2_200_000)}</sheetData></worksheet>`,
      },
      { "xl/workbook.xml": { r1: ["worksheet", "s.xml"] } },
    ),
  };
  for (const [name, content] of Object.entries(files)) await writeFile(join(root, name), content);

  await using konteks = await openKonteks({ path: join(root, ".konteks") });
  const report = await konteks.ingest(root);
  expect((await konteks.documents()).map(({ id }) => id)).toEqual(["deep.html", "good.md", "名前 ☃.md"]);
  const reasons = Object.fromEntries(
    [...report.failed, ...report.unsupported].map((one) => [one.id, one.reason]),
  );
  expect(reasons).toEqual({
    "bomb.docx": expect.stringContaining("unpacks to more than 512 MiB"),
    "bomb.zip/zeros.md": expect.stringContaining("has 200 MiB, more than the limit of 100 MiB"),
    "deep.docx": expect.stringMatching(/^[^\n]*cannot be read as a Word document \([^\n[]*\)[^\n]*$/),
    "deep.eml": expect.stringContaining("cannot be read as a mail"),
    "forms.pdf": expect.stringContaining("no text layer on page 1"),
    "pages.pdf": expect.stringMatching(/page 1/i),
    "rows.xlsx": expect.stringContaining("more than 2097152 rows"),
    "sparse.txt": expect.stringContaining("has 2048 MiB, more than the limit of 100 MiB"),
    "zeros.txt": expect.stringContaining("is a binary file"),
  });
}, 60_000);
