import { mkdir, mkdtemp, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { isKonteksError } from "../../spec/index.ts";
import { listFiles } from "./folder.ts";

let root: string;
beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), "konteks-folder-"));
});
afterEach(() => rm(root, { recursive: true, force: true }));

async function write(files: Readonly<Record<string, string>>) {
  for (const [id, text] of Object.entries(files)) {
    await mkdir(dirname(join(root, id)), { recursive: true });
    await writeFile(join(root, id), text);
  }
}

const ids = async (folder = root, options = {}) => (await listFiles(folder, options)).map((file) => file.id);

describe("listFiles", () => {
  it("finds files of any name, sorted by id, with sizes", async () => {
    await write({ "b.md": "12345", "a/z.md": "", "a/ü 文.md": "x", "a.md": "x", "#1.md": "x" });
    const files = await listFiles(root);
    expect(files.map((file) => file.id)).toEqual(["#1.md", "a.md", "a/z.md", "a/ü 文.md", "b.md"]);
    expect(files.at(-1)).toEqual({ id: "b.md", path: join(root, "b.md"), size: 5 });
  });

  it("leaves out what belongs to tools", async () => {
    await write({
      "a.md": "x",
      ".git/x.md": "x",
      ".konteks/x.md": "x",
      "node_modules/p/README.md": "x",
      "docs/node_modules/p/README.md": "x",
      ".hidden/x.md": "x",
      ".env": "SECRET=1",
    });
    expect(await ids()).toEqual(["a.md"]);
    expect(await ids(root, { gitignore: false })).toEqual(["a.md"]);
  });

  it("leaves out what an evaluation wrote, and takes it when it is named", async () => {
    await write({
      "questions.jsonl": '{"id":"q1","text":"How \\"high\\"?","gold":[]}\n',
      "by-hand.jsonl": '{ "id": "q1", "text": "How high?", "gold": [ { "document": "a.md" } ] }\n',
      "baseline.jsonl": '{"konteks":"evaluation","version":1}\n',
      "ladder.json": '{\n  "konteks": "ladder",\n  "version": 2\n}\n',
      "report.html": '<!doctype html>\n<meta name="generator" content="konteks eval">\n',
      "faq.jsonl": '{"id":"q1","text":"How high?","answer":"12 m"}\n',
      "page.html": "<!doctype html><p>konteks eval</p>",
      "package.json": '{ "name": "konteks" }',
      "empty.jsonl": "",
    });
    expect(await ids()).toEqual(["empty.jsonl", "faq.jsonl", "package.json", "page.html"]);
    expect(await ids(join(root, "questions.jsonl"))).toEqual(["questions.jsonl"]);
  });

  it("follows the ignore files of every level, the nearest first", async () => {
    await write({
      ".gitignore": "*.log\n/build/\n!important.log\n",
      ".konteksignore": "drafts/\n",
      "docs/.gitignore": "!keep.log\nsecret.md\n",
      "a.log": "x",
      "important.log": "x",
      "build/x.md": "x",
      "docs/build/y.md": "x",
      "docs/keep.log": "x",
      "docs/other.log": "x",
      "docs/secret.md": "x",
      "docs/drafts/x.md": "x",
      "secret.md": "x",
    });
    expect(await ids()).toEqual(["docs/build/y.md", "docs/keep.log", "important.log", "secret.md"]);
    expect(await ids(root, { gitignore: false })).toContain("docs/secret.md");
  });

  it("follows the rules above the root inside a repository, unless they ignore the root itself", async () => {
    await write({
      ".git/HEAD": "x",
      ".gitignore": "*.tmp\nout/\n",
      "docs/a.md": "x",
      "docs/b.tmp": "x",
      "out/c.md": "x",
    });
    expect(await ids(join(root, "docs"))).toEqual(["a.md"]);
    expect(await ids(join(root, "out"))).toEqual(["c.md"]);
  });

  it("does not follow symbolic links out of the root or in circles", async () => {
    await write({ "inside/a.md": "x", "outside/secret.md": "x" });
    await symlink(join(root, "outside"), join(root, "inside/out"));
    await symlink(join(root, "outside/secret.md"), join(root, "inside/secret.md"));
    await symlink(join(root, "inside"), join(root, "inside/loop"));
    expect(await ids(join(root, "inside"))).toEqual(["a.md"]);
    await symlink(join(root, "inside"), join(root, "link"));
    expect(await ids(join(root, "link"))).toEqual(["a.md"]);
    await symlink(join(root, "gone"), join(root, "inside/nowhere.md"));
    const told = new Map<string, string>();
    await listFiles(join(root, "inside"), { onLink: (id, reason) => told.set(id, reason) });
    expect([...told.keys()].sort()).toEqual(["nowhere.md", "out", "secret.md"]);
    expect(told.get("nowhere.md")).toContain("leads nowhere");
    expect(told.get("out")).toContain("leads out of the folder");
  });

  it("takes a file as the only one", async () => {
    await write({ "docs/a.md": "abc" });
    expect(await listFiles(join(root, "docs/a.md"))).toEqual([
      { id: "a.md", path: join(root, "docs/a.md"), size: 3 },
    ]);
  });

  it("says that there is no such folder, and stops when told to", async () => {
    await expect(listFiles(join(root, "none"))).rejects.toSatisfy((error) =>
      isKonteksError(error, "not-found"),
    );
    await expect(listFiles(root, { signal: AbortSignal.abort() })).rejects.toSatisfy((error) =>
      isKonteksError(error, "aborted"),
    );
  });
});
