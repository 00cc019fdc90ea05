import { mkdir, mkdtemp, rename, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { makePdf, makeZip } from "../src/ingest/load/make-files.fixture.ts";
import { openKonteks } from "../src/open.ts";
import type { Konteks } from "../src/spec/index.ts";

let root: string;
let konteks: Konteks;
beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), "konteks-folders-"));
  konteks = await openKonteks({ path: join(root, ".konteks") });
});
afterEach(async () => {
  await konteks.close();
  await rm(root, { recursive: true, force: true });
});

const mail = (attachment: string) =>
  `From: a@b.c\nSubject: Rent\nMIME-Version: 1.0\nContent-Type: multipart/mixed; boundary=x\n\n--x\nContent-Type: text/plain\n\nSee the list.\n--x\nContent-Type: text/plain\nContent-Disposition: attachment; filename=list.txt\n\n${attachment}\n--x--\n`;

const ids = async () => (await konteks.documents()).map(({ id }) => id);
const write = (name: string, content: string | Uint8Array) => writeFile(join(root, name), content);

it("follows a folder: what is inside files comes, changes and leaves with them", async () => {
  await write("m.eml", mail("tulips and roses"));
  await write("z.zip", makeZip({ "a.md": "# Ferns", "b.md": "# Moss" }));
  await write("p.pdf", makePdf([[{ text: "Orchids in a PDF", x: 72, y: 700 }]]));
  expect(await konteks.ingest(root)).toMatchObject({ added: 5, failed: [] });
  expect(await ids()).toEqual(["m.eml", "m.eml/list.txt", "p.pdf", "z.zip/a.md", "z.zip/b.md"]);
  expect((await konteks.search("tulips")).hits[0]?.documentId).toBe("m.eml/list.txt");
  expect(await konteks.ingest(root)).toMatchObject({ added: 0, replaced: 0, deleted: 0, unchanged: 5 });

  await write("z.zip", makeZip({ "a.md": "# Ferns", "c.md": "# Lichen" }));
  expect(await konteks.ingest(root)).toMatchObject({ added: 1, replaced: 0, deleted: 1, unchanged: 4 });
  await rm(join(root, "m.eml"));
  expect(await konteks.ingest(root)).toMatchObject({ deleted: 2, unchanged: 3 });
  expect(await ids()).toEqual(["p.pdf", "z.zip/a.md", "z.zip/c.md"]);
});

it("keeps what it has of a file that can no longer be opened, and says so", async () => {
  await write("a.md", "# A");
  await write("z.zip", makeZip({ "b.md": "# B" }));
  await konteks.ingest(root);
  await write("z.zip", makeZip({ "b.md": "# B" }).subarray(0, 30));
  const report = await konteks.ingest(root);
  expect(report).toMatchObject({ deleted: 0, unchanged: 1 });
  expect(report.failed.map(({ id }) => id)).toEqual(["z.zip"]);
  expect(await ids()).toEqual(["a.md", "z.zip/b.md"]);
});

it("takes a moved file for the same text at another place", async () => {
  await write("a.md", "# Ferns\n\nFerns grow in the shade.");
  await konteks.ingest(root);
  await mkdir(join(root, "sub"));
  await rename(join(root, "a.md"), join(root, "sub", "b.md"));
  expect(await konteks.ingest(root)).toMatchObject({ added: 1, deleted: 1 });
  expect(await ids()).toEqual(["sub/b.md"]);
});

it("takes records of a file as documents with their fields", async () => {
  await write(
    "d.jsonl",
    '{"id":"x1","body":"Ferns grow.","year":2024}\n{"id":"x2","body":"Moss grows.","year":2025}\n',
  );
  const records = { text: "body", id: "id" };
  expect(await konteks.ingest(root, { records })).toMatchObject({ added: 2 });
  const { hits } = await konteks.search("grow", { filter: { field: "year", op: "eq", value: 2025 } });
  expect(hits.map(({ documentId }) => documentId)).toEqual(["d.jsonl/x2"]);
});
