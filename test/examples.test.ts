import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Konteks, openKonteks } from "../src/index.ts";

const DOCUMENTS = join(import.meta.dirname, "..", "examples", "documents");

let folder: string;
let kb: Konteks;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "konteks-"));
  kb = await openKonteks({ path: join(folder, "default") });
  const report = await kb.ingest(DOCUMENTS);
  expect(report).toMatchObject({ failed: [], unsupported: [], incomplete: [], warnings: [] });
}, 60_000);

afterAll(async () => {
  await kb.close();
  await rm(folder, { recursive: true, force: true });
});

/** The chunk that holds some words, which must be in no other document. */
async function chunksWith(documentId: string, words: string) {
  const chunks = (await kb.chunks(documentId)).map(({ chunk }) => chunk.text);
  return chunks.filter((text) => text.includes(words));
}

describe("what the example documents are written for", () => {
  test.each([
    ["reports/acme-2023-q2.md", "revenue grew by 3 %", /ACME|Q2|2023|second quarter/],
    ["reports/contoh-jaya-2023-q2.md", "Pendapatan tumbuh 3 %", /Contoh Jaya|kedua|2023/],
    ["reports/minh-ha-2023-q2.md", "Doanh thu tăng 3 %", /Minh Hà|[Qq]uý 2|2023/],
    ["cities/berlin-and-paris.md", "3.85 million inhabitants", /Berlin/],
  ])("%s: the chunk that says “%s” does not say what it is about", async (id, words, subject) => {
    const chunks = await chunksWith(id, words);
    expect(chunks.length).toBeGreaterThan(0);
    for (const text of chunks) expect(text).not.toMatch(subject);
  });

  test("the manual is long", async () => {
    expect((await kb.chunks("manuals/meridian-400-service.md")).length).toBeGreaterThan(100);
  });

  test.each([
    ["How much did ACME's revenue grow in Q2 2023?", "reports/acme-2023-q2.md", "3 %"],
    ["How much did ACME's revenue grow in Q3 2023?", "reports/acme-2023-q3.md", "5 %"],
    ["How much did ACME's revenue grow in Q2 2022?", "reports/acme-2022-q2.md", "7 %"],
    ["By how much did the revenue of Borealis grow in Q2 2023?", "reports/borealis-2023-q2.md", "5 %"],
    [
      "Berapa persen pendapatan PT Contoh Jaya tumbuh pada kuartal kedua 2023?",
      "reports/contoh-jaya-2023-q2.md",
      "3 %",
    ],
    [
      "Berapa persen pendapatan PT Bahari Mandiri tumbuh pada kuartal kedua 2023?",
      "reports/bahari-mandiri-2023-q2.md",
      "8 %",
    ],
    [
      "Doanh thu của Công ty Cổ phần Minh Hà quý 2 năm 2023 tăng bao nhiêu?",
      "reports/minh-ha-2023-q2.md",
      "3 %",
    ],
    ["What is the torque range of SKU-4521?", "catalogue/workshop-2024.md", "40 to 210 Nm"],
    ["How many inhabitants does Berlin have?", "cities/berlin-and-paris.md", "3.85 million"],
    ["How high is the contractual penalty in the NDA?", "contracts/nda-lindholm-okafor.txt", "40,000"],
    ["How long is the warranty on a steel frame?", "web/returns-and-warranty.html", "20"],
  ])("%s", async (question, documentId, words) => {
    const answer = await kb.ask(question);
    expect(answer.citations[0]).toMatchObject({ documentId, verified: true });
    expect(answer.citations.map(({ quote }) => quote).join("\n")).toContain(words);
  });

  test.each([
    ["Which function writes JSON atomically?", "code/tools/atomic_json.py"],
    ["computeOvertime", "code/src/overtime.ts"],
    ["绿茶用多少度的水泡？", "notes/tea-house-zh.md"],
    ["ค่าเช่าแผงริมคลองคืนละเท่าไร", "notes/night-market-th.md"],
    [
      "What does fault of the hot-melt unit mean when the adhesive draws strings?",
      "manuals/meridian-400-service.md",
    ],
  ])("%s is found first in %s", async (query, documentId) => {
    const { hits } = await kb.search(query, { k: 1 });
    expect(hits[0]?.documentId).toBe(documentId);
  });

  test("without contexts, another report's sentence comes first", async () => {
    const none = await openKonteks({ path: join(folder, "none"), context: "none" });
    try {
      await none.ingest(join(DOCUMENTS, "reports"));
      const { hits } = await none.search("How much did ACME's revenue grow in Q2 2023?", { k: 50 });
      const first = hits.find(({ text }) => text.includes("revenue grew by"));
      expect(first).toBeDefined();
      expect(first?.documentId).not.toBe("acme-2023-q2.md");
    } finally {
      await none.close();
    }
  });
});
