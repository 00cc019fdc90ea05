import { chmod, mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { makePdf, makeZip } from "./load/make-files.fixture.ts";
import type { SourceOptions } from "./pending.ts";
import { openSource } from "./source.ts";

let root: string;
beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), "konteks-source-"));
});
afterEach(async () => {
  await chmod(join(root, "locked"), 0o700).catch(() => undefined);
  await rm(root, { recursive: true, force: true });
});

async function write(files: Readonly<Record<string, string | Uint8Array>>) {
  for (const [id, content] of Object.entries(files)) {
    await mkdir(dirname(join(root, id)), { recursive: true });
    await writeFile(join(root, id), content);
  }
}

async function read(of: Parameters<typeof openSource>[0], options: SourceOptions = {}) {
  const source = await openSource(of, options);
  const found: Record<string, string> = {};
  for (const { id, open } of source.documents) {
    found[id] = await open()
      .then(async (opened) => (await opened.read()).text)
      .catch((error: unknown) => `failed: ${error instanceof Error ? error.message : String(error)}`);
  }
  return { source, found };
}

describe("openSource", () => {
  it("lists a folder with what is in archives and mails, and knows what has left it", async () => {
    await write({
      "a.md": "A",
      "x/all.zip": makeZip({ "b.md": "B" }),
      "m.eml": "From: a@b.c\nSubject: S\n\nHi",
    });
    const { source, found } = await read(root);
    expect(Object.keys(found).sort()).toEqual(["a.md", "m.eml", "x/all.zip/b.md"]);
    expect(source.name).toBe(root);
    expect(["a.md", "gone.md", "x/all.zip/gone.md"].map(source.hasLeft)).toEqual([false, true, true]);
  });

  it("names what cannot be opened, and takes nothing below it for gone", async () => {
    await write({ "a.md": "A", "bad.zip": "PK\u0003\u0004 broken" });
    const { source, found } = await read(root);
    expect(found["bad.zip"]).toMatch(/^failed: "bad.zip" is damaged/);
    expect(["bad.zip", "bad.zip/b.md", "other.zip/b.md"].map(source.hasLeft)).toEqual([false, false, true]);
  });

  it("names a file or folder that cannot be read, and goes on", async () => {
    await write({ "a.md": "A", "locked/b.md": "B" });
    // A name that is no UTF-8 cannot be opened by anybody; a locked folder can, by the superuser.
    await writeFile(Buffer.concat([Buffer.from(join(root, "bad-")), Buffer.from([0xff])]), "x");
    await chmod(join(root, "locked"), 0o000);
    const { source, found } = await read(root);
    expect(found["a.md"]).toBe("A");
    expect(found["bad-\uFFFD"]).toMatch(/^failed: .*cannot be read/);
    expect(source.hasLeft("locked/b.md")).toBe(false);
    expect(source.hasLeft("gone/b.md")).toBe(true);
  });

  it("reads each file once, at the time when it is opened", async () => {
    await write({ "a.md": "old" });
    const { documents } = await openSource(root);
    await write({ "a.md": "new" });
    const opened = await documents[0]?.open();
    await write({ "a.md": "later" });
    expect((await opened?.read())?.text).toBe("new");
  });

  it("takes a file with its attachments, a glob, and a list of files", async () => {
    await write({
      "a.md": "A",
      "b.txt": "B",
      "sub/c.md": "C",
      "sub/d.md": "D",
      "z.zip": makeZip({ "e.md": "E" }),
    });
    const one = await read(join(root, "z.zip"));
    expect(one.found).toEqual({ "z.zip/e.md": "E" });
    expect(["z.zip/gone.md", "a.md"].map(one.source.hasLeft)).toEqual([true, false]);
    const glob = await read(join(root, "**/*.md"));
    expect(Object.keys(glob.found)).toEqual(["a.md", "sub/c.md", "sub/d.md"]);
    expect(["sub/gone.md", "gone.txt"].map(glob.source.hasLeft)).toEqual([true, false]);
    const list = await read([join(root, "a.md"), join(root, "missing.md"), join(root, "a.md")]);
    expect(Object.values(list.found)).toEqual([expect.stringMatching(/^failed: There is no/), "A"]);
    await expect(openSource(join(root, "*.pdf"))).rejects.toThrow(/No file matches/);
    await expect(openSource(join(root, "nothing"))).rejects.toThrow(/no file or folder/);
  });

  it("takes files whose bytes are at hand", async () => {
    const bytes = makePdf([[{ text: "In a PDF", x: 72, y: 700 }]]);
    const zip = makeZip({ "a.md": "A" });
    const { source, found } = await read([
      { id: "up.pdf", bytes },
      { id: "all.zip", bytes: zip },
      { id: "t", text: "T" },
    ]);
    expect(found).toEqual({ "up.pdf": "In a PDF", "all.zip/a.md": "A", t: "T" });
    expect(source.name).toBe("api");
    await expect(openSource([{ id: "x", bytes: "no" as never }])).rejects.toThrow(/Uint8Array/);
  });

  it("changes the hash when what is read out of the bytes changes", async () => {
    await write({ "a.html": "<nav>N</nav><p>text</p>" });
    const hash = async (options: SourceOptions) =>
      (await (await openSource(root, options)).documents[0]?.open())?.contentHash;
    const plain = await hash({});
    expect(await hash({})).toBe(plain);
    expect(await hash({ html: "all" })).not.toBe(plain);
    expect(await hash({ metadata: { a: 1 } })).not.toBe(plain);
  });

  it("reports an address that may not be fetched as a failure", async () => {
    const { found } = await read("http://127.0.0.1:9/x");
    expect(found["http://127.0.0.1:9/x"]).toMatch(/not on the open internet/);
  });

  it("says of other addresses that they are not fetched", async () => {
    await expect(openSource("ftp://example.org/a.md")).rejects.toThrow(/only addresses that begin with http/);
  });
});
