import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createLexicalEmbedder } from "./index.ts";

const embedder = createLexicalEmbedder();

async function cosine(query: string, document: string, idf?: (term: string) => number): Promise<number> {
  const q = await embedder.embedQuery(query, { idf });
  const [d] = await embedder.embedDocuments([document]);
  return q.reduce((sum, value, i) => sum + value * (d?.[i] ?? 0), 0);
}

describe("createLexicalEmbedder", () => {
  it("names itself with its dimensions", () => {
    expect(createLexicalEmbedder({ dimensions: 256 })).toMatchObject({
      id: "lexical-hash-v1:256",
      kind: "lexical",
      dimensions: 256,
    });
    expect(() => createLexicalEmbedder({ dimensions: 3 })).toThrow(/64 to 65,536/u);
  });

  it("forgives typos and inflection", async () => {
    const other = "Bananas ripen faster beside apples.";
    expect(await cosine("managment of the databse", "database management")).toBeGreaterThan(0.3);
    expect(await cosine("managment of the databse", other)).toBeLessThan(0.15);
    expect(await cosine("menuliskannya", "penulisan")).toBeGreaterThan(
      (await cosine("menuliskannya", other)) + 0.1,
    );
  });

  it("reads a word that is broken at a line end as one", async () => {
    expect(await cosine("retrieval", "re-\ntrieval")).toBeCloseTo(1, 5);
  });

  it("is tolerant of canonical spelling and case", async () => {
    expect(await cosine("BỆNH viện", "bệnh viện".normalize("NFD"))).toBeCloseTo(1, 5);
  });

  it("weights a query's words by idf", async () => {
    const rare = (term: string) => (term === "margin" ? 8 : 0.1);
    expect(await cosine("interest margin", "margin", rare)).toBeGreaterThan(0.95);
    expect(await cosine("interest margin", "interest", rare)).toBeLessThan(0.2);
  });

  it("gives a text the same vector whatever stands beside it", async () => {
    const [alone] = await embedder.embedDocuments(["Revenue grew."]);
    const [, beside] = await embedder.embedDocuments(["Other words", "Revenue grew."]);
    expect(beside).toEqual(alone);
  });

  it("gives unit vectors, and the zero vector for a text without words", async () => {
    await fc.assert(
      fc.asyncProperty(fc.string({ unit: "binary" }), async (text) => {
        const [vector] = await embedder.embedDocuments([text]);
        const length = Math.hypot(...(vector ?? []));
        expect(vector?.length).toBe(768);
        expect(length === 0 || Math.abs(length - 1) < 1e-5).toBe(true);
      }),
    );
    const [blank] = await embedder.embedDocuments([" … \n"]);
    expect(Math.hypot(...(blank ?? [1]))).toBe(0);
  });

  it("stops when asked to", async () => {
    await expect(embedder.embedDocuments(["a"], { signal: AbortSignal.abort() })).rejects.toThrow(/abort/iu);
  });
});
