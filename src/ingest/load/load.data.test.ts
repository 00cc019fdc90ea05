import { existsSync } from "node:fs";
import { join, resolve } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { type Document, isKonteksError } from "../../spec/index.ts";
import { loaded, refused } from "./expected.fixture.ts";
import { listFiles, loadFile } from "./index.ts";
import type { FoundFile, LoadOptions } from "./types.ts";

const root = join(resolve(process.env.KONTEKS_DATA ?? "../shared/datasets"), "files");
let files: ReadonlyMap<string, FoundFile>;

beforeAll(async () => {
  if (!existsSync(root))
    throw new Error(`The evaluation data is not at ${root}. Set KONTEKS_DATA to its folder.`);
  files = new Map((await listFiles(root)).map((file) => [file.id, file]));
});

async function load(id: string, options: LoadOptions = {}): Promise<Document> {
  const file = files.get(id);
  if (file === undefined) throw new Error(`${id} is not among the files`);
  return (await loadFile(file, options)).document;
}

/** Phrases stand on one line here, whatever the lines of the document are. */
const flat = (text: string) => text.replace(/\s+/g, " ");

function expectSound({ text, blocks, outline, pages, title }: Document): void {
  let at = 0;
  for (const { start, end } of blocks) {
    expect(text.slice(at, start).trim()).toBe("");
    expect(end).toBeGreaterThan(start);
    at = end;
  }
  expect(text.slice(at).trim()).toBe("");
  for (const heading of outline) expect(text.slice(heading.start, heading.end).trim()).not.toBe("");
  for (const page of pages ?? []) expect(page.start).toBeLessThanOrEqual(text.length);
  expect(title).not.toBe("");
}

describe("real files", () => {
  it.each(Object.entries(loaded))("%s comes in whole", async (id, expected) => {
    const document = await load(
      id,
      expected.password === undefined ? {} : { pdf: { password: expected.password } },
    );
    expectSound(document);
    const text = flat(document.text);
    let at = 0;
    for (const phrase of expected.phrases) {
      const found = text.indexOf(phrase, at);
      expect(found, `"${phrase}" after "${text.slice(Math.max(0, at - 40), at)}"`).toBeGreaterThanOrEqual(0);
      at = found;
    }
    for (const phrase of expected.without ?? []) expect(text).not.toContain(phrase);
    if (expected.language !== undefined) expect(document.language).toBe(expected.language);
    if (expected.title !== undefined) expect(document.title).toBe(expected.title);
    if (expected.pages !== undefined) expect(document.pages).toHaveLength(expected.pages);
    expect((document.warnings ?? []).join(" ")).toContain(expected.warning ?? "");
  });

  it.each(Object.entries(refused))("%s is refused: %s", async (id, code) => {
    const error = await load(id).catch((thrown: unknown) => thrown);
    expect(isKonteksError(error) ? error.code : error).toBe(code);
  });

  it("are all named here", () => {
    const known = new Set([...Object.keys(loaded), ...Object.keys(refused), "README.txt", "SOURCES.tsv"]);
    expect([...files.keys()].filter((id) => !known.has(id))).toEqual([]);
  });
});
