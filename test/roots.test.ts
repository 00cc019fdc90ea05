import { mkdir, mkdtemp, rename, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { Konteks } from "../src/index.ts";
import { makePdf, makeZip } from "../src/ingest/load/make-files.fixture.ts";
import { openKonteks } from "../src/open.ts";
import { startSimulatedProvider } from "../src/testing/provider/index.ts";

let root: string;
let konteks: Konteks;
beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), "konteks-roots-"));
  konteks = await openKonteks({ path: join(root, ".konteks") });
});
afterEach(async () => {
  await konteks.close();
  await rm(root, { recursive: true, force: true });
});

async function write(files: Readonly<Record<string, string | Uint8Array>>) {
  for (const [path, content] of Object.entries(files)) {
    await mkdir(dirname(join(root, path)), { recursive: true });
    await writeFile(join(root, path), content);
  }
}

const ids = async () => (await konteks.documents()).map(({ id }) => id);
const ingest = (path: string) => konteks.ingest(join(root, path));

describe("several folders in one index", () => {
  it("keep files of the same name apart, run after run, and each leaves with its own file", async () => {
    await write({
      "a/readme.md": "From a.",
      "b/readme.md": "From b.",
      "b/only.md": "Only b.",
      "x/b/readme.md": "X.",
    });
    await ingest("a");
    expect((await ingest("b")).failed).toEqual([]);
    await ingest("x/b");
    expect(await ids()).toEqual(["b/readme.md", "only.md", "readme.md", "x/b/readme.md"]);
    expect(await ingest("b")).toMatchObject({ unchanged: 2, added: 0, deleted: 0 });
    await rm(join(root, "a/readme.md"));
    await write({ "a/more.md": "More." });
    await ingest("a");
    expect(await ingest("b")).toMatchObject({ unchanged: 2, added: 0, deleted: 0 });
    await rm(join(root, "b/readme.md"));
    expect(await ingest("b")).toMatchObject({ unchanged: 1, deleted: 1 });
    expect(await ids()).toEqual(["more.md", "only.md", "x/b/readme.md"]);
  });

  it("keep them apart where documents are read in other processes, too", async () => {
    const long = (name: string) => `# ${name}\n\n${`Words of ${name} in a row. `.repeat(4000)}`;
    await write({ "a/readme.md": long("alpha"), "b/readme.md": long("beta"), "b/more.md": long("gamma") });
    await ingest("a");
    await ingest("b");
    expect((await konteks.documents()).map(({ id, title }) => [id, title])).toEqual([
      ["b/readme.md", "beta"],
      ["more.md", "gamma"],
      ["readme.md", "alpha"],
    ]);
    expect(await ingest("b")).toMatchObject({ unchanged: 2, added: 0 });
  });

  it("hold a file once when one of them is inside the other, whichever came first", async () => {
    await write({ "docs/a.md": "A.", "docs/sub/b.md": "B.", "docs/sub/c.zip": makeZip({ "d.md": "D." }) });
    await ingest("docs/sub");
    expect(await ids()).toEqual(["b.md", "c.zip/d.md"]);
    expect(await ingest("docs")).toMatchObject({ added: 1, unchanged: 2 });
    expect(await ids()).toEqual(["a.md", "b.md", "c.zip/d.md"]);
    await write({ "docs/sub/b.md": "Changed." });
    expect(await ingest("docs")).toMatchObject({ replaced: 1, unchanged: 2 });
    expect(await ingest("docs/sub")).toMatchObject({ unchanged: 2 });
    await rm(join(root, "docs/sub"), { recursive: true });
    expect(await ingest("docs")).toMatchObject({ deleted: 2, unchanged: 1 });
  });

  it("do not take what was ingested by its path for gone because the folder above ignores it", async () => {
    await write({ "docs/a.md": "A.", "docs/sub/b.md": "B.", "docs/.konteksignore": "sub/\n" });
    await ingest("docs/sub");
    expect(await ingest("docs")).toMatchObject({ added: 1, deleted: 0 });
    expect(await ids()).toEqual(["a.md", "b.md"]);
  });
});

describe("a folder that was moved", () => {
  const files = { "old/a.md": "A.", "old/sub/b.md": "B.", "old/gone.md": "Gone." };
  const place = async () => (await konteks.search("B", { k: 1 })).hits[0]?.uri;

  it("stays the same documents, at the new place, without what is gone", async () => {
    await write(files);
    await ingest("old");
    await rename(join(root, "old"), join(root, "new"));
    await rm(join(root, "new/gone.md"));
    expect(await ingest("new")).toMatchObject({ added: 0, replaced: 2, deleted: 1, failed: [] });
    expect(await ids()).toEqual(["a.md", "sub/b.md"]);
    expect(await place()).toBe(join(root, "new/sub/b.md"));
    expect(await ingest("new")).toMatchObject({ unchanged: 2, replaced: 0 });
  });

  it("is another one while the first is there, or when hardly a file is the same", async () => {
    await write({ ...files, "new/a.md": "A." });
    await ingest("old");
    await ingest("new");
    expect(await ids()).toEqual(["a.md", "gone.md", "new/a.md", "sub/b.md"]);
    await rm(join(root, "old"), { recursive: true });
    await write({ "third/a.md": "Another A." });
    expect(await ingest("third")).toMatchObject({ added: 1, deleted: 0 });
    expect(await ids()).toContain("third/a.md");
  });

  it("pays for no context twice", async () => {
    const provider = await startSimulatedProvider();
    const paid = await openKonteks({
      path: join(root, ".paid"),
      contextModel: "anthropic:claude-haiku-4-5",
      apiKeys: { anthropic: "test" },
      baseUrls: provider.baseUrls,
    });
    await write(files);
    await paid.ingest(join(root, "old"));
    const calls = provider.ledger.length;
    await rename(join(root, "old"), join(root, "new"));
    expect(await paid.ingest(join(root, "new"))).toMatchObject({ replaced: 3 });
    expect([calls, provider.ledger.length]).toEqual([3, 3]);
    await paid.close();
    await provider.close();
  });
});

describe("files that cannot be read", () => {
  it("are named in every run, and tried again when they change or when that is asked for", async () => {
    await write({
      "a.md": "A.",
      "scan.pdf": makePdf([[]]),
      "x.bin": new Uint8Array([0, 1, 2, 0, 255, 254, 0]),
    });
    const first = await konteks.ingest(root);
    const again = await konteks.ingest(root);
    expect(again.failed.map(({ id }) => id)).toEqual(["scan.pdf"]);
    expect(again.unsupported.map(({ id }) => id)).toEqual(["x.bin"]);
    expect(again.failed).toEqual(first.failed.map((file) => ({ ...file, unchanged: true })));
    const forced = await konteks.ingest(root, { force: true });
    expect(forced.failed).toEqual(first.failed);
    await write({ "scan.pdf": makePdf([[{ text: "Now with words.", x: 72, y: 700 }]]) });
    expect(await konteks.ingest(root)).toMatchObject({ added: 1, failed: [] });
  });

  it("are tried again with another password", async () => {
    await write({ "a.md": "A.", "scan.pdf": makePdf([[]]) });
    await konteks.ingest(root);
    const [failed] = (await konteks.ingest(root, { password: "other" })).failed;
    expect(failed).not.toHaveProperty("unchanged");
  });
});
