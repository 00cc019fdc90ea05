import { describe, expect, it } from "vitest";
import type { DocumentInput } from "../../spec/index.ts";
import { documentFromInput, loadText } from "./input.ts";

const prose =
  "This sentence is about the house and the garden, and it goes on for a while so that it is long. ".repeat(
    8,
  );

describe("documentFromInput", () => {
  it("keeps text, id and what the user names", async () => {
    const document = await documentFromInput({
      id: "note-1",
      text: "# Heading\n\nText.",
      title: " My title ",
      uri: "https://example.com/1",
      language: "id",
      metadata: { year: 2025 },
    });
    expect(document).toMatchObject({
      id: "note-1",
      text: "# Heading\n\nText.",
      title: "My title",
      uri: "https://example.com/1",
      language: "id",
      format: "text",
      metadata: { year: 2025 },
    });
  });

  it("tells the format from the id, and the given one goes first", async () => {
    const text = "# A\n\nb";
    expect((await documentFromInput({ id: "a.md", text })).outline).toHaveLength(1);
    expect((await documentFromInput({ id: "a.md", text, format: "text" })).format).toBe("text");
    expect(await documentFromInput({ id: "a", text: "page one", format: "pdf" })).toMatchObject({
      format: "pdf",
      text: "page one",
    });
  });

  it("reads HTML as its text, unless chunks point into it", async () => {
    const input = { id: "a.html", text: "<title>T</title><p>Hello" };
    expect((await documentFromInput(input)).text).toBe("Hello");
    const cut = await documentFromInput({ ...input, chunks: [{ start: 19, end: 24 }] });
    expect(cut).toMatchObject({ text: input.text, format: "html" });
  });

  it("puts the user's metadata over the front matter's", async () => {
    const text = "---\nauthor: Ana\nyear: 2024\n---\nBody";
    expect((await documentFromInput({ id: "a.md", text, metadata: { year: 2025 } })).metadata).toEqual({
      author: "Ana",
      year: 2025,
    });
  });

  it.each([
    [{ id: " ", text: "x" }, /no id/],
    [{ id: "a", text: 5 }, /text of "a"/],
    [{ id: "a", text: "x", title: 5 }, /title of "a"/],
    [{ id: "a", text: "x", format: "docs" }, /format "docs" of "a"/],
    [{ id: "a", text: "x", metadata: { when: new Date() } }, /"a".*"when"/],
    [{ id: "a", text: " \n" }, /"a" holds no text/],
  ])("refuses %j", async (input, message) => {
    await expect(documentFromInput(input as unknown as DocumentInput)).rejects.toThrow(message);
  });
});

describe("titles", () => {
  const titleOf = async (id: string, text: string) => (await loadText(text, { id })).title;

  it.each([
    ["a.md", "---\ntitle: 2024\n---\n# H", "2024"],
    ["a.md", "## Small\n\n# Big one\n\ntext", "Big one"],
    ["a.md", "## C#\n\ntext", "C#"],
    ["a.md", "A short first line\n\nand more text.", "A short first line"],
    ["annual_report.md", `${prose}\n\nMore.`, "annual report"],
    ["a/notes.txt", "two lines\nof one paragraph", "notes"],
    ["a/data.json", '{"a": 1}', "data.json"],
    ["src/x.ts", "# not a heading\n", "x.ts"],
    ["a.html", "<title>Duck - Site</title><h1>Duck</h1><p>x", "Duck"],
    ["a.html", "<title>Only title</title><h2>Sub</h2><p>x", "Only title"],
    ["a.md", "# \n\n***\n\n- x", "a"],
  ])("of %s with %j is %j", async (id, text, title) => expect(await titleOf(id, text)).toBe(title));

  it("are never longer than a line can be", async () => {
    expect(await titleOf("a.md", `# ${"long ".repeat(100)}`)).toHaveLength(200);
  });
});

describe("languages", () => {
  const languageOf = async (id: string, text: string) => (await loadText(text, { id })).language;

  it("are those of the words, or of what is stated", async () => {
    expect(await languageOf("a.txt", prose)).toBe("en");
    expect(await languageOf("a.md", `---\nlang: id-ID\n---\n${prose}`)).toBe("id");
    expect(await languageOf("a.html", `<html lang="de"><p>${prose}`)).toBe("en");
    expect(await languageOf("a.html", '<html lang="de"><p>Hallo')).toBe("de");
  });

  it("are left open for code and data", async () => {
    expect(await languageOf("a.ts", "// the house and the garden\nconst a = 1;")).toBeUndefined();
    expect(await languageOf("a.csv", "name,city\nAna,Roma\nLuca,Milano\n")).toBeUndefined();
    expect(await languageOf("a.csv", "名前,都市\nはな,おおさか\nたろう,とうきょう\n")).toBe("ja");
  });
});
