import { describe, expect, it } from "vitest";
import { isKonteksError } from "../../spec/index.ts";
import { loadOne } from "./load-one.fixture.ts";
import { makeDocx, makePdf } from "./make-files.fixture.ts";

const pdf = (text: string) => makePdf([[{ text, x: 72, y: 700 }]]);
const word = (text: string) => makeDocx(`<w:p><w:r><w:t>${text}</w:t></w:r></w:p>`);

describe("reading in a process of its own", () => {
  it("gives the same as reading at once, for many files at the same time", async () => {
    const names = Array.from({ length: 12 }, (_, n) => `file ${n}`);
    const apart = await Promise.all(names.map((name) => loadOne("a.pdf", pdf(name))));
    expect(apart.map(({ text }) => text)).toEqual(names);
    expect(await loadOne("b.docx", word("x"))).toEqual(await loadOne("b.docx", word("x"), { apart: false }));
  });

  it("carries errors over, and goes on afterwards", async () => {
    const error = await loadOne("a.docx", makeDocx("").subarray(0, 300)).catch((thrown: unknown) => thrown);
    expect(isKonteksError(error, "unreadable") && error.message).toContain('"a.docx"');
    expect((await loadOne("a.pdf", pdf("next"))).text).toBe("next");
  });

  it("ends what takes too long, and what is stopped", async () => {
    const rows = `<tr><td>${"x ".repeat(50)}</td></tr>`.repeat(20_000);
    const page = `<!doctype html><table>${rows}</table>`;
    await expect(loadOne("slow.html", page, { parseLimitMs: 1 })).rejects.toThrow(/longer than 0\.001 s/);
    await expect(loadOne("slow.html", page, { signal: AbortSignal.timeout(1) })).rejects.toMatchObject({
      code: "aborted",
    });
    expect((await loadOne("a.pdf", pdf("next"))).text).toBe("next");
  });
});
