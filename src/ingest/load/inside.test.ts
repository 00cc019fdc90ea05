import { deflateRawSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { isKonteksError } from "../../spec/index.ts";
import { filesInside, loadFile } from "./index.ts";
import { makeZip } from "./make-files.fixture.ts";
import type { FoundFile, LoadOptions } from "./types.ts";

function file(id: string, content: string | Uint8Array): FoundFile {
  const bytes = typeof content === "string" ? new TextEncoder().encode(content) : content;
  return { id, path: `/files/${id}`, size: bytes.length, read: async () => bytes };
}

async function texts(of: FoundFile, options: LoadOptions = {}) {
  const inside = await filesInside(of, options);
  const found: Record<string, string> = {};
  for (const inner of inside?.files ?? []) {
    found[inner.id] = await loadFile(inner, options).then(
      ({ document }) => document.text,
      (error: unknown) => (isKonteksError(error) ? error.code : String(error)),
    );
  }
  return { isDocument: inside?.isDocument, found };
}

describe("archives", () => {
  it("give the files in them, without what packers and tools put in", async () => {
    const zip = makeZip({
      "docs/a.md": "# A",
      "docs\\b.txt": "B",
      "../../etc/c.txt": "C",
      "__MACOSX/docs/._a.md": "x",
      ".git/config": "x",
      "x/": "",
    });
    const { isDocument, found } = await texts(file("all.zip", zip));
    expect(isDocument).toBe(false);
    expect(found).toEqual({
      "all.zip/docs/a.md": "# A",
      "all.zip/docs/b.txt": "B",
      "all.zip/etc/c.txt": "C",
    });
  });

  it("may hold archives, but not without end", async () => {
    const inner = makeZip({ "a.md": "deep" });
    const { files = [] } = (await filesInside(file("out.zip", makeZip({ "in.zip": inner })))) ?? {};
    const [nested] = files;
    if (nested === undefined) throw new Error("nothing inside");
    expect((await texts(nested)).found).toEqual({ "out.zip/in.zip/a.md": "deep" });
    await expect(filesInside({ ...nested, depth: 3 })).rejects.toThrow(/levels deep/);
  });

  it("are refused when they would unpack beyond the limits, or lie about it", async () => {
    expect(
      (await texts(file("big.zip", makeZip({ "a.txt": "x".repeat(2000) })), { maxBytes: 1000 })).found,
    ).toEqual({
      "big.zip/a.txt": "unreadable",
    });
    const honest = lyingZip(10 * 1024 * 1024, 10 * 1024 * 1024);
    expect((await texts(file("a.zip", honest))).found["a.zip/bomb.txt"]).toHaveLength(10 * 1024 * 1024);
    const bomb = lyingZip(10 * 1024 * 1024, 1000);
    expect((await texts(file("bomb.zip", bomb))).found).toEqual({ "bomb.zip/bomb.txt": "unreadable" });
    await expect(filesInside(file("huge.zip", lyingZip(1000, 0xfffffff0)))).rejects.toThrow(/2048 MiB/);
    await expect(filesInside(file("cut.zip", makeZip({ "a.txt": "x" }).subarray(0, 40)))).rejects.toThrow(
      /damaged/,
    );
  });

  it("are told from other files under their name", async () => {
    expect(await filesInside(file("text.zip", "no archive"))).toBeUndefined();
  });
});

/** One file of zeros, said to unpack to `stated` bytes. */
function lyingZip(size: number, stated: number): Uint8Array {
  const packed = deflateRawSync(Buffer.alloc(size, "a"));
  const zip = Buffer.from(makeZip({ "bomb.txt": packed }));
  const directory = zip.indexOf(Buffer.from([0x50, 0x4b, 0x01, 0x02]));
  for (const [at, shift] of [
    [0, 0],
    [directory, 2],
  ] as const) {
    zip.writeUInt16LE(8, at + 8 + shift);
    zip.writeUInt32LE(stated, at + 22 + shift);
  }
  return zip;
}

describe("mails", () => {
  const mail = [
    "From: Ada <ada@example.org>",
    "To: bob@example.org",
    "Subject: =?utf-8?q?Caf=C3=A9?=",
    "Date: Tue, 01 Oct 2024 12:34:56 -0500",
    "MIME-Version: 1.0",
    'Content-Type: multipart/mixed; boundary="b"',
    "",
    "--b",
    "Content-Type: text/plain; charset=iso-8859-1",
    "",
    Buffer.from("Grüße", "latin1").toString("latin1"),
    "--b",
    'Content-Type: text/csv; name="../a.csv"',
    'Content-Disposition: attachment; filename="../a.csv"',
    "",
    "x,y",
    "--b",
    "Content-Type: text/plain",
    "Content-Disposition: attachment",
    "",
    "no name",
    "--b--",
  ].join("\r\n");

  it("are documents, and so are their attachments", async () => {
    const message = file("m.eml", Buffer.from(mail, "latin1"));
    const { document } = await loadFile(message);
    expect(document).toMatchObject({ title: "Café", format: "email" });
    expect(document.text).toContain("From: Ada <ada@example.org>\nTo: bob@example.org\nDate: 2024-10-01");
    expect(document.text).toContain("Grüße");
    expect(document.metadata).toMatchObject({ author: "Ada <ada@example.org>", date: "2024-10-01" });
    const { isDocument, found } = await texts(message);
    expect(isDocument).toBe(true);
    expect(found).toEqual({ "m.eml/_a.csv": "x,y\n", "m.eml/attachment 2.txt": "no name\n" });
    const [first] = (await filesInside(message))?.files ?? [];
    if (first === undefined) throw new Error("no attachment");
    expect((await loadFile(first)).document.metadata).toMatchObject({
      attachedTo: "Café",
      date: "2024-10-01",
    });
  });

  it("are known by their headers without an ending", async () => {
    expect((await loadFile(file("mail", Buffer.from(mail, "latin1")))).document.format).toBe("email");
  });
});

describe("records", () => {
  const records = { text: ["title", "body.text"], id: "key", title: "title" };

  it("of JSON and JSON lines are documents with their fields", async () => {
    const list = [
      { key: "a/1", title: "One", body: { text: "First." }, year: 2024, tags: ["x"] },
      { title: "Two", body: { text: "Second." } },
      { key: "empty" },
    ];
    const expected = { "d.json/a/1": "One\n\nFirst.", "d.json/2": "Two\n\nSecond." };
    expect((await texts(file("d.json", JSON.stringify({ items: list })), { records })).found).toEqual(
      expected,
    );
    const lines = list.map((each) => JSON.stringify(each)).join("\n");
    expect(Object.values((await texts(file("d.jsonl", lines), { records })).found)).toEqual(
      Object.values(expected),
    );
    const [first] = (await filesInside(file("d.jsonl", lines), { records }))?.files ?? [];
    if (first === undefined) throw new Error("no record");
    expect((await loadFile(first)).document).toMatchObject({
      title: "One",
      metadata: { key: "a/1", year: 2024, tags: ["x"] },
    });
  });

  it("of CSV are too, and a broken file says so", async () => {
    const csv = "key,title,body.text\n1,One,First.\n";
    expect((await texts(file("d.csv", csv), { records })).found).toEqual({ "d.csv/1": "One\n\nFirst." });
    await expect(filesInside(file("d.json", "{"), { records })).rejects.toThrow(/No records/);
    expect(await filesInside(file("d.json", "{"))).toBeUndefined();
  });
});
