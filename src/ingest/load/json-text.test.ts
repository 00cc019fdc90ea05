import { describe, expect, it } from "vitest";
import { loadOne, shown } from "./load-one.fixture.ts";

describe("JSON", () => {
  it("keeps the text, and values together", async () => {
    const items = Array.from({ length: 20 }, (_, n) => ({ id: n, text: "words, and {more} ".repeat(30) }));
    const text = JSON.stringify({ about: "list", items }, null, 2);
    const document = await loadOne("a.json", text);
    expect(document.text).toBe(text);
    expect(document.title).toBe("a.json");
    expect(document.blocks.length).toBeGreaterThan(15);
    for (const block of shown(document).slice(1, -1)) expect(block).toMatch(/^code: \{[\s\S]*\},?$/);
  });

  it("gives JSON lines line by line, small ones together", async () => {
    const text = Array.from({ length: 100 }, (_, n) => `{"n":${n},"t":"${"x".repeat(80)}"}`).join("\n");
    const { blocks } = await loadOne("a.jsonl", text);
    expect(blocks.length).toBeGreaterThan(10);
    expect(blocks.length).toBeLessThan(50);
    for (const { start, end } of blocks) expect(text.slice(start, end)).toMatch(/^\{[\s\S]*\}$/);
  });

  it("writes out escapes of letters, on the same lines, and no others", async () => {
    const { text, warnings } = await loadOne(
      "a.json",
      '{\n"a": "caf\\u00e9 \\ud83d\\ude00",\n"b": "\\u0022 \\\\u00e9"\n}',
    );
    expect(text).toBe('{\n"a": "café 😀",\n"b": "\\u0022 \\\\u00e9"\n}');
    expect(warnings?.join()).toContain("escapes");
  });

  it("survives what is no JSON, and 100,000 levels", async () => {
    expect((await loadOne("a.json", '{"a": "no end\n, ] } { "b" ')).text).toContain("no end");
    expect(
      (await loadOne("a.json", `${"[".repeat(100_000)}1${"]".repeat(100_000)}`)).blocks.length,
    ).toBeGreaterThan(0);
  });
});
