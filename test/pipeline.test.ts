import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { type Embedder, isKonteksError, type Konteks, type OpenOptions, openKonteks } from "../src/index.ts";

let folder: string;
const open: Konteks[] = [];

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "konteks-"));
});

afterEach(async () => {
  for (const kb of open.splice(0)) await kb.close();
  await rm(folder, { recursive: true, force: true });
});

async function opened(options: OpenOptions = {}): Promise<Konteks> {
  const kb = await openKonteks({ path: join(folder, "index"), ...options });
  open.push(kb);
  return kb;
}

async function files(contents: Record<string, string>): Promise<string> {
  const root = join(folder, "docs");
  for (const [name, text] of Object.entries(contents)) {
    await mkdir(join(root, name, ".."), { recursive: true });
    await writeFile(join(root, name), text);
  }
  return root;
}

/** Long enough that the sentence asked for stands in another chunk than the title. */
const FILLER = Array.from(
  { length: 60 },
  (_, i) => `Unit ${i} of the group reviewed its plans, costs and staffing in the period under review.`,
).join(" ");

function report(company: string, quarter: string, figure: string): string {
  return (
    `---\ntitle: ${company} ${quarter} report\ncompany: ${company}\n---\n\n# Report\n\n` +
    `${FILLER}\n\n## Results\n\n${FILLER}\n\nRevenue grew by ${figure} over the previous quarter.\n`
  );
}

test("a sentence that never names its company is found by its context, and cited to the line", async () => {
  const root = await files({
    "a/acme-q1.md": report("ACME", "Q1 2023", "2 %"),
    "a/acme-q2.md": report("ACME", "Q2 2023", "3 %"),
    "b/globex-q2.md": report("Globex", "Q2 2023", "5 %"),
  });
  const kb = await opened();
  const ingested = await kb.ingest(root);
  expect(ingested).toMatchObject({ added: 3, failed: [], incomplete: [] });
  const answer = await kb.ask("How much did ACME's revenue grow in Q2 2023?");
  expect(answer.kind).toBe("extract");
  const [citation] = answer.citations;
  expect(citation?.documentId).toBe("a/acme-q2.md");
  expect(citation?.quote).toBe("Revenue grew by 3 % over the previous quarter.");
  const { document } = (await kb.document("a/acme-q2.md")) ?? {};
  expect(document?.text.slice(citation?.start, citation?.end)).toBe(citation?.quote);
  expect(document?.text.split("\n")[(citation?.lines[0] ?? 0) - 1]).toBe(citation?.quote);
});

test("an ingest follows the folder: unchanged, changed, gone", async () => {
  const root = await files({ "one.md": "# One\n\nalpha beta", "two.md": "# Two\n\ngamma delta" });
  const kb = await opened();
  await kb.ingest(root);
  expect(await kb.ingest(root)).toMatchObject({ added: 0, replaced: 0, unchanged: 2, deleted: 0 });
  await files({ "one.md": "# One\n\nepsilon" });
  await rm(join(root, "two.md"));
  expect(await kb.ingest(root)).toMatchObject({ added: 0, replaced: 1, unchanged: 0, deleted: 1 });
  expect((await kb.search("alpha", { mode: "text" })).hits).toEqual([]);
  expect((await kb.search("epsilon")).hits.map((hit) => hit.documentId)).toEqual(["one.md"]);
  expect((await kb.documents()).map((document) => document.id)).toEqual(["one.md"]);
});

test("one bad file is named and the rest goes on", async () => {
  const root = await files({
    "good.md": "# Good\n\nalpha",
    "blank.md": "  \n",
    "picture.png": "\x89PNG\r\n\x1a\n\0\0",
  });
  const kb = await opened();
  const result = await kb.ingest(root);
  expect(result.added).toBe(1);
  expect(result.failed.map((one) => one.id)).toEqual(["blank.md"]);
  expect(result.unsupported.map((one) => one.id)).toEqual(["picture.png"]);
});

test("the same content in two files is two documents; deleting one leaves the other", async () => {
  const root = await files({ "a.md": "# Twin\n\nshared words", "b.md": "# Twin\n\nshared words" });
  const kb = await opened();
  await kb.ingest(root);
  expect((await kb.search("shared words")).hits.map((hit) => hit.documentId)).toEqual(["a.md", "b.md"]);
  expect(await kb.delete("a.md")).toBe(true);
  expect(await kb.delete("a.md")).toBe(false);
  expect((await kb.search("shared words")).hits.map((hit) => hit.documentId)).toEqual(["b.md"]);
});

test("a file whose id is taken stands beside it, a program's own id is refused; nothing is overwritten", async () => {
  const kb = await opened();
  await kb.upsert({ id: "readme.md", text: "# Mine\n\nfirst" });
  const root = await files({ "readme.md": "# Other\n\nsecond", "more.md": "# More" });
  expect(await kb.ingest(root)).toMatchObject({ added: 2, failed: [] });
  expect((await kb.search("second")).hits[0]?.documentId).toBe(`${basename(root)}/readme.md`);
  const refused = await kb.upsert({ id: "more.md", text: "taken" });
  expect(refused.failed).toEqual([
    { id: "more.md", reason: expect.stringContaining(`taken by a document from "${root}"`) },
  ]);
  expect((await kb.search("first")).hits).toHaveLength(1);
});

test("results for k are a prefix of those for k + 1, and a k beyond the candidates is refused", async () => {
  const kb = await opened();
  await kb.ingest(
    Array.from({ length: 30 }, (_, i) => ({ id: `d${i}`, text: `common word number ${i} and ${i % 7}` })),
  );
  const all = (await kb.search("common number 3", { k: 20 })).hits.map((hit) => hit.chunkId);
  for (let k = 1; k < 20; k++) {
    const some = (await kb.search("common number 3", { k })).hits.map((hit) => hit.chunkId);
    expect(some).toEqual(all.slice(0, k));
  }
  await expect(kb.search("common", { k: 200 })).rejects.toThrow(/Raise candidates to at least 200/);
});

test("settings are the index's own when opened again, and others are refused with both names", async () => {
  const kb = await opened({ chunk: { unit: "words", size: 50, overlap: 5 } });
  await kb.upsert({ id: "a", text: "some words to keep" });
  await kb.close();
  const again = await opened();
  await again.upsert({ id: "b", text: "other words" });
  expect((await again.status()).identity?.chunker).toContain("words");
  await again.close();
  const error = await opened({ context: "none" }).catch((reason: unknown) => reason);
  expect(isKonteksError(error, "identity-mismatch")).toBe(true);
  expect(String(error)).toMatch(
    /contextualizer: the index has "structural-\d", asked for is "none".*--rebuild/s,
  );
  const rebuilt = await opened({ context: "none", rebuild: true });
  expect(await rebuilt.documents()).toEqual([]);
});

test("vectors of one's own: chunks, vectors and a query vector", async () => {
  const kb = await opened({ embedding: "given" });
  await kb.ingest([
    { id: "east", text: "sunrise", chunks: [{ start: 0, end: 7, vectors: [[1, 0]] }] },
    { id: "north", text: "pole star", chunks: [{ start: 0, end: 9, vectors: [[0, 1]] }] },
  ]);
  const { hits } = await kb.search("anything", { mode: "vector", vector: [0.1, 0.9] });
  expect(hits.map((hit) => hit.documentId)).toEqual(["north", "east"]);
  const wrong = await kb.ingest([
    { id: "deep", text: "x", chunks: [{ start: 0, end: 1, vectors: [[1, 0, 0]] }] },
  ]);
  expect(wrong.failed.length + wrong.incomplete.length).toBe(1);
});

test("two windows of a chunk: the best one counts", async () => {
  const kb = await opened({ embedding: "given" });
  await kb.ingest([
    {
      id: "two",
      text: "both",
      chunks: [
        {
          start: 0,
          end: 4,
          vectors: [
            [1, 0],
            [0, 1],
          ],
        },
      ],
    },
    { id: "one", text: "half", chunks: [{ start: 0, end: 4, vectors: [[0.8, 0.6]] }] },
  ]);
  const { hits } = await kb.search("", { mode: "vector", vector: [0, 1] });
  expect(hits.map((hit) => hit.documentId)).toEqual(["two", "one"]);
  expect(hits[0]?.scores.cosine).toBeCloseTo(1, 2);
});

test("an embedder that fails on one text leaves that chunk named and the rest searchable", async () => {
  const picky: Embedder = {
    id: "picky",
    kind: "hosted",
    embedDocuments: async (texts) => {
      if (texts.some((text) => text.includes("poison"))) throw new Error("cannot read this text");
      return texts.map(() => Float32Array.of(1, 0));
    },
    embedQuery: async () => Float32Array.of(1, 0),
  };
  const kb = await opened({ embedding: picky });
  const result = await kb.ingest([
    { id: "good", text: "fine words" },
    { id: "bad", text: "poison words" },
  ]);
  expect(result.incomplete).toEqual([
    { chunkId: "bad#0", reason: expect.stringMatching(/embedding: .*cannot read/) },
  ]);
  expect((await kb.search("poison", { mode: "text" })).hits).toHaveLength(1);
  const { counts, warnings } = await kb.status();
  expect(counts).toMatchObject({ pending: 1, failures: 0 });
  expect(warnings).toEqual([{ id: "bad", warning: "1 chunk has no vector: cannot read this text" }]);
});

test("aborting stops between documents, keeps what is written, and a second run finishes", async () => {
  const kb = await opened();
  const documents = Array.from({ length: 20 }, (_, i) => ({ id: `d${i}`, text: `document number ${i}` }));
  const controller = new AbortController();
  const stopped = kb.ingest(documents, {
    signal: controller.signal,
    onProgress: (event) => event.type === "document" && event.done === 5 && controller.abort(),
  });
  await expect(stopped).rejects.toThrow();
  expect((await kb.documents()).length).toBe(5);
  expect(await kb.ingest(documents)).toMatchObject({ added: 15, unchanged: 5 });
});

test("nothing found is said plainly", async () => {
  const kb = await opened();
  expect((await kb.ask("anything?")).kind).toBe("none");
  await kb.upsert({ id: "a", text: "Cats sleep most of the day." });
  const answer = await kb.ask("What is the melting point of tungsten?");
  expect(answer).toMatchObject({ kind: "none", abstained: true, citations: [] });
  expect(answer.notes[0]).toMatch(/\S/);
});

test("a blank query and one of punctuation find nothing and do not throw", async () => {
  const kb = await opened();
  await kb.upsert({ id: "a", text: "words" });
  for (const query of ["", "   ", "?!", "…"]) {
    expect((await kb.search(query, { mode: "text" })).hits).toEqual([]);
    await kb.search(query);
  }
});
