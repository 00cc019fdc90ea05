import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { isKonteksError } from "../../spec/index.ts";
import { hashFile, loadFile } from "./load.ts";
import { makePdf } from "./make-files.fixture.ts";
import type { LoadOptions } from "./types.ts";

let root: string;
beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), "konteks-load-"));
});
afterEach(() => rm(root, { recursive: true, force: true }));

async function load(id: string, content: string | Uint8Array, options: LoadOptions = {}) {
  const file = { path: join(root, id), id, size: content.length };
  await writeFile(file.path, content);
  return (await loadFile(file, options)).document;
}

async function codeOf(id: string, content: string | Uint8Array, options: LoadOptions = {}) {
  const error = await load(id, content, options).catch((thrown: unknown) => thrown);
  if (!isKonteksError(error)) throw new Error(`expected a KonteksError, got ${String(error)}`);
  expect(error.message).toContain(`"${id}"`);
  return error.code;
}

describe("loadFile", () => {
  it.each([
    ["a.md", "# One\r\n\r\nTwo\rThree\n"],
    ["a.ts", "export const a = 1;\n\tconst b = 2;\r\n"],
    ["a.txt", "  spaces first\n\n\n"],
    ["a.yaml", "key: value\n"],
  ])("keeps the text of %s exactly, without its byte order mark", async (id, text) => {
    expect((await load(id, `\uFEFF${text}`)).text).toBe(text);
    expect((await load(id, text)).text).toBe(text);
  });

  it("turns front matter into metadata without moving offsets", async () => {
    const text =
      "---\ntitle: Report\ndate: 2025-03-31\nowner:\n  team: Finance\ntags: [a, b]\n---\n\n# Heading\n\nBody.\n";
    const document = await load("a.md", text);
    expect(document.text).toBe(text);
    expect(document.title).toBe("Report");
    expect(document.metadata).toEqual({
      title: "Report",
      date: "2025-03-31",
      "owner.team": "Finance",
      tags: ["a", "b"],
    });
    const [heading] = document.outline;
    expect(text.slice(heading?.start, heading?.end)).toContain("Heading");
    expect(document.blocks[0]?.kind).toBe("metadata");
  });

  it("gives id, absolute path, format and hash", async () => {
    const file = { path: join(root, "x.md"), id: "docs/x.md", size: 1 };
    await writeFile(file.path, "Words.");
    const { document, contentHash } = await loadFile(file);
    expect(document).toMatchObject({ id: "docs/x.md", uri: file.path, format: "markdown" });
    expect(contentHash).toBe(await hashFile(file));
    expect(contentHash).toMatch(/^[0-9a-f]{64}$/);
    const given = await loadFile(file, { bytes: new TextEncoder().encode("Other words.") });
    expect(given.document.text).toBe("Other words.");
    expect(given.contentHash).not.toBe(contentHash);
  });

  it("tells formats by content before it asks the name", async () => {
    expect((await load("report", makePdf([[{ text: "In a PDF", x: 72, y: 700 }]]))).format).toBe("pdf");
    expect(await load("page", "<!-- saved -->\n<!DOCTYPE html><h1>Page</h1><p>text")).toMatchObject({
      format: "html",
      title: "Page",
    });
    expect(await load("notes", "just words")).toMatchObject({ format: "text" });
    expect(await load("odd.xyz", "just words")).toMatchObject({ format: "text" });
  });

  it("reports a guessed encoding", async () => {
    const document = await load("a.txt", Buffer.from("Die Straße führt über den Hügel.", "latin1"));
    expect(document.text).toBe("Die Straße führt über den Hügel.");
    expect(document.warnings?.[0]).toContain("windows-1252");
  });

  it("names what it does not read", async () => {
    expect(await codeOf("a.png", Buffer.from("\x89PNG\r\n\x1a\n\0\0\0\rIHDR", "latin1"))).toBe(
      "unsupported-format",
    );
    expect(await codeOf("a.md", Buffer.from([1, 2, 3, 0, 0, 5, 200, 1, 0, 9, 8, 7]))).toBe(
      "unsupported-format",
    );
    expect(await codeOf("mail.mbox", "From a@b.c\n\nHello")).toBe("unsupported-format");
    expect(await codeOf("things.tar", Buffer.concat([Buffer.alloc(257), Buffer.from("ustar")]))).toBe(
      "unsupported-format",
    );
    expect(
      await codeOf(
        "old.doc",
        Buffer.concat([Buffer.from([0xd0, 0xcf, 0x11, 0xe0]), Buffer.from("WordDocument", "utf16le")]),
      ),
    ).toBe("unsupported-format");
    expect(
      await codeOf(
        "locked.docx",
        Buffer.concat([Buffer.from([0xd0, 0xcf, 0x11, 0xe0]), Buffer.from("EncryptedPackage", "utf16le")]),
      ),
    ).toBe("encrypted");
  });

  it("names what holds nothing, or something else than it says", async () => {
    for (const [id, content] of [
      ["a.md", ""],
      ["b.md", " \n\t\n"],
      ["c.md", "---\ntitle: x\n---\n"],
      ["d.html", "<script>x</script>"],
      ["e.pdf", ""],
    ] as const) {
      expect(await codeOf(id, content)).toBe("no-text");
    }
    expect(await codeOf("f.pdf", "this is no PDF")).toBe("unreadable");
    expect(await codeOf("g.docx", "this is no DOCX")).toBe("unreadable");
    expect(await codeOf("book.xlsx", "PK\x03\x04 xl/workbook.xml")).toBe("unreadable");
    expect(await codeOf("n.ipynb", "{ broken")).toBe("unreadable");
  });

  it("refuses what is gone or too large", async () => {
    const gone = { path: join(root, "gone.md"), id: "gone.md", size: 3 };
    await expect(loadFile(gone)).rejects.toThrow(/"gone\.md" cannot be read \(it is gone\)/);
    expect(await codeOf("big.txt", "x".repeat(2000), { maxBytes: 1000 })).toBe("unreadable");
    expect(await codeOf("a.md", "x", { signal: AbortSignal.abort() })).toBe("aborted");
  });
});
