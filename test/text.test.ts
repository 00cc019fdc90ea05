import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { type DocumentInput, type Konteks, openKonteks } from "../src/index.ts";

let folder: string;
let kb: Konteks;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "konteks-text-"));
  kb = await openKonteks({ path: join(folder, "index"), embedding: "none" });
});

afterEach(async () => {
  await kb.close();
  await rm(folder, { recursive: true, force: true });
});

test("status names texts that look wrongly decoded and languages without a stemmer", async () => {
  const french =
    "L’été dernier, la société a présenté des résultats où l’énergie pèse déjà très lourd. ".repeat(3);
  const misread = new TextDecoder("windows-1252").decode(new TextEncoder().encode(french));
  const documents: DocumentInput[] = [
    { id: "good.txt", text: french },
    { id: "broken.txt", text: misread },
    { id: "swahili.txt", text: "Mapato ya kampuni yaliongezeka.", language: "sw" },
  ];
  const report = await kb.ingest(documents);
  const { warnings } = await kb.status();
  const named = (id: string) => warnings.filter((entry) => entry.id === id).map(({ warning }) => warning);
  expect(named("good.txt")).toEqual([]);
  expect(named("broken.txt")).toEqual([expect.stringContaining("wrongly decoded")]);
  expect(named("swahili.txt")).toEqual([expect.stringContaining('no stemmer for "sw"')]);
  expect(report.warnings).toEqual(warnings);
});

test("a document is found by its title alone", async () => {
  await kb.ingest([
    { id: "1", title: "Halvorsen Shipping", text: "The fee is due in May.", metadata: { year: 2024 } },
    { id: "2", title: "Castellan Media", text: "The fee is due in June.", metadata: { year: 2024 } },
  ]);
  const { hits } = await kb.search("Halvorsen fee");
  expect(hits[0]?.documentId).toBe("1");
  expect((await kb.search("Castellan")).hits.map(({ documentId }) => documentId)).toEqual(["2"]);
});
