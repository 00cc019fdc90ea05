import { expect, test } from "vitest";
import { createLexicalEmbedder } from "../models/lexical/index.ts";
import { type DocumentInput, isKonteksError } from "../spec/index.ts";
import { structurally, withoutContext } from "./contextualize/contextualize.ts";
import { embedChunks } from "./embed-chunks.ts";
import type { IngestParts } from "./parts.ts";
import { chunksOf, withWarnings } from "./prepare.ts";
import { prepareApart } from "./prepare-apart.ts";
import type { Prepared } from "./prepared.ts";
import { type Reading, readDocument } from "./read.ts";
import { analyzeChunk } from "./write.ts";

const embedder = createLexicalEmbedder({ dimensions: 64 });
const chunk = { unit: "words", size: 12, overlap: 3 } as const;
const contextualize = () => Promise.reject(new Error("not asked here"));
const parts = { chunk, contextualize, localContexts: "structural", embedder } as unknown as IngestParts;

const TEXTS: readonly DocumentInput[] = [
  {
    id: "a.md",
    text: "---\nauthor: Ana\n---\n# Rust\n\nThe borrow checker's rules.\n\n| a | b |\n|---|---|\n| 1 | 2 |\n",
  },
  { id: "b.txt", text: `${"Giá trị của hợp đồng. ".repeat(30)}\n\n中文也在这里。\n\nภาษาไทยไม่มีช่องว่าง` },
  { id: "c.py", text: "def f(x):\n    return x\n\n\nclass A:\n    def g(self):\n        pass\n" },
  { id: "d.html", text: "<title>T</title><p>one<p>two", metadata: { year: 2024 } },
];

const readings: readonly Reading[] = [
  ...TEXTS.map((input) => ({ input, metadata: { team: "x" } })),
  ...TEXTS.map(({ id, text }) => {
    const bytes = new TextEncoder().encode(text);
    return { file: { id, path: `/x/${id}`, size: bytes.length }, bytes, options: {}, metadata: undefined };
  }),
];

async function prepareHere(reading: Reading): Promise<Prepared> {
  const document = withWarnings(await readDocument(reading));
  const chunks = chunksOf(document, undefined, chunk);
  const contextualized = await structurally()({ document, chunks });
  const { contexts } = contextualized;
  const embedded = await embedChunks(document, chunks, contexts, { embedder });
  const fields = chunks.map((one, i) =>
    analyzeChunk(document, one, contexts[i] ?? { kind: "none", text: "" }),
  );
  return { document, chunks, indexed: { contextualized, embedded, fields } };
}

test("another process makes of a document what this one does", async () => {
  for (const reading of readings)
    expect(await prepareApart(reading, parts, undefined)).toEqual(await prepareHere(reading));
});

test("where a model has a say, only reading and cutting are done there", async () => {
  const reading = readings[0] as Reading;
  const { document, chunks } = await prepareHere(reading);
  const { portable: _, ...fixed } = embedder;
  for (const other of [{ localContexts: undefined }, { embedder: fixed }]) {
    const made = await prepareApart(reading, { ...parts, ...other }, undefined);
    expect(made).toEqual({ document, chunks, indexed: undefined });
  }
});

test("without vectors and contexts", async () => {
  const bare = {
    ...parts,
    contextualize: withoutContext,
    localContexts: "none",
    embedder: undefined,
  } as const;
  const made = await prepareApart(readings[0] as Reading, bare, undefined);
  expect(made?.indexed?.contextualized.contexts.every(({ kind }) => kind === "none")).toBe(true);
  expect(made?.indexed?.embedded.vectors.every((windows) => windows.length === 0)).toBe(true);
});

test("errors of reading come back as they are; what cannot be sent is left to this one", async () => {
  const empty = { input: { id: "e.md", text: " " }, metadata: undefined };
  const error = await prepareApart(empty, parts, undefined).catch((thrown: unknown) => thrown);
  expect(isKonteksError(error, "no-text") && error.facts).toEqual({ documentId: "e.md" });
  const odd = { id: "f.md", text: "x", metadata: { f: () => {} } } as unknown as DocumentInput;
  expect(await prepareApart({ input: odd, metadata: undefined }, parts, undefined)).toBeUndefined();
  const stopped = prepareApart(readings[0] as Reading, parts, AbortSignal.abort());
  await expect(stopped).rejects.toMatchObject({ code: "aborted" });
});
