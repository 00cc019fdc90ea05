import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Konteks, openKonteks } from "../src/index.ts";

const LEASE = `# Lease

The tenant pays 900 euros a month.

## Ending the contract

Either side may end it with three months' warning. The letter has to be signed.

## Garden

The garden belongs to the flat on the ground floor.
`;

const documents = [
  { id: "lease.md", text: LEASE, metadata: { year: 2021 } },
  {
    id: "manual.md",
    text: "# Heating\n\nTurn the knob to three. The boiler starts after a minute.\n",
    metadata: { year: 2024 },
  },
  {
    id: "cuti.md",
    text: "# Aturan cuti\n\nKaryawan mendapat dua belas hari cuti setiap tahun.\n\n## Sakit\n\nSurat dokter diperlukan setelah dua hari.\n",
  },
  {
    id: "hopdong.md",
    text: "# Hợp đồng thuê nhà\n\nTiền đặt cọc là hai tháng tiền thuê.\n\n## Chấm dứt\n\nBên thuê phải báo trước ba mươi ngày.\n",
  },
  {
    id: "hetong.md",
    text: "# 租赁合同\n\n押金为两个月租金。\n\n## 终止\n\n租客必须提前三十天书面通知房东。\n",
  },
];

let folder: string;
let konteks: Konteks;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "konteks-why-"));
  konteks = await openKonteks({ path: join(folder, "index"), chunk: { size: 30, overlap: 0 } });
  await konteks.ingest(documents);
});

afterAll(async () => {
  await konteks.close();
  await rm(folder, { recursive: true, force: true });
});

/** The same documents in an index of their own, one chunk's context saying more. */
async function withContext(chunkId: string, words: string): Promise<Konteks> {
  const other = await openKonteks({
    path: await mkdtemp(join(folder, "context-")),
    chunk: { size: 30, overlap: 0 },
  });
  for (const document of documents) {
    const chunks = (await konteks.chunks(document.id)).map(({ chunk, context }) => ({
      start: chunk.start,
      end: chunk.end,
      context: chunk.id === chunkId ? `${context.text}\n${words}` : context.text,
    }));
    await other.upsert({ ...document, chunks });
  }
  return other;
}

describe("where a passage was lost", () => {
  test("among the hits", async () => {
    const report = await konteks.why("How is the lease ended?", { expect: "lease.md:7" });
    expect(report).toMatchObject({
      lostAt: "found",
      reason: expect.stringMatching(/^It is hit \d of 10/),
      remedies: [],
    });
    expect(report.words.find(({ word }) => word === "lease")?.inContext).not.toEqual([]);
    expect(report.stages.reranked).toBeUndefined();
  });

  test("cut by k, with the k that would do", async () => {
    const report = await konteks.why("tenant garden ground floor", {
      expect: "900 euros",
      k: 1,
    });
    expect(report.lostAt).toBe("k");
    expect(report.leftOut).toEqual({ vector: "the index knows every word of the query" });
    const rank = report.stages.hits ?? 0;
    expect(rank).toBeGreaterThan(1);
    expect(report.remedies).toContainEqual({ change: `k: ${rank}`, rank });
  });

  test("no word of the query stands in it", async () => {
    const report = await konteks.why("zzyzx", { expect: "boiler starts", mode: "text" });
    expect(report).toMatchObject({ lostAt: "search", reason: expect.stringMatching(/no form of any word/) });
    expect(report.words).toMatchObject([{ word: "zzyzx", inChunk: [], inContext: [], frequency: 0 }]);
  });

  test("a missing word is named beside the nearest of the passage, and the passage by its rarest words", async () => {
    const report = await konteks.why("who signd the letter", { expect: "The letter has to be signed" });
    const missing = report.words.find(({ word }) => word === "signd");
    expect(missing).toMatchObject({ inChunk: [], near: "signed", function: false });
    expect(report.words[0]).toMatchObject({ word: "who", function: true });
    expect(report.passage).toContainEqual(expect.objectContaining({ word: "signed", forms: ["sign"] }));
  });

  test("in a section that is not among the best", async () => {
    const report = await konteks.why("garden", { expect: "900 euros", withinSections: 1 });
    expect(report).toMatchObject({ lostAt: "search" });
  });

  test("nothing like a word of the query stands in it", async () => {
    const report = await konteks.why("zzyzx", { expect: "boiler starts" });
    expect(report).toMatchObject({
      lostAt: "search",
      reason: expect.stringMatching(/knows no word of the query, and the passage holds nothing like one/),
    });
  });

  test("left out by the filter, and found without it", async () => {
    const filter = { field: "year", op: "gte", value: 2024 } as const;
    const report = await konteks.why("months' warning", { expect: "lease.md:7", filter });
    expect(report.lostAt).toBe("filter");
    expect(report.remedies[0]).toEqual({ change: "without the filter", rank: 1 });
  });

  test("below a threshold, with its own score", async () => {
    const report = await konteks.why("months' warning", { expect: "lease.md:7", min: { bm25: 1000 } });
    expect(report).toMatchObject({
      lostAt: "threshold",
      reason: expect.stringMatching(/1 of \d+ in text .*at least bm25 1000/),
    });
  });

  test("folded, or too many of its document", async () => {
    const report = await konteks.why("lease", { expect: "lease.md:11", perDocument: 1, mode: "text" });
    expect(report).toMatchObject({ lostAt: "diversity", reason: expect.stringMatching(/perDocument/) });
  });

  test("cut across chunks", async () => {
    const report = await konteks.why("rent", {
      expect: LEASE.slice(LEASE.indexOf("900"), LEASE.indexOf("on the ground")),
    });
    expect(report.reason).toMatch(/cut across lease\.md#\d(, lease\.md#\d)+; no chunk holds all of it/);
  });

  test("in no document: the index is named, and a file that is there is looked at", async () => {
    expect(await konteks.why("x", { expect: "no such words" })).toMatchObject({ lostAt: "not-in-index" });
    expect(await konteks.why("x", { expect: "other/lease.txt:3" })).toMatchObject({
      lostAt: "not-in-index",
      reason: expect.stringMatching(/no document "other\/lease.txt"/),
    });
    const file = join(folder, "new.md");
    await writeFile(file, "New words.\n");
    const reason = async () => (await konteks.why("x", { expect: file })).reason;
    expect(await reason()).toMatch(/can be read, but is not in the index: it was not ingested since/);
    await writeFile(join(folder, ".konteksignore"), "# drafts\nnew*\n");
    expect(await reason()).toMatch(/the rule "new\*" of .*\.konteksignore leaves it out/);
  });

  test.each([
    ["Berapa hari cuti dalam setahun?", "dua belas hari cuti", "cuti"],
    ["Phải báo trước bao nhiêu ngày?", "báo trước ba mươi ngày", "ngày"],
  ])("%s: the words that met", async (question, quote, word) => {
    const report = await konteks.why(question, { expect: quote });
    expect(report).toMatchObject({ lostAt: "found", lists: { text: { rank: 1 } } });
    expect(report.words.find((found) => found.word === word)?.inChunk).toContain(word);
  });

  test("Chinese: the pieces that met", async () => {
    const report = await konteks.why("租客要提前多少天通知？", { expect: "提前三十天书面通知" });
    expect(report).toMatchObject({ lostAt: "found", lists: { text: { rank: 1 } } });
    const met = report.words.filter(({ inChunk }) => inChunk.length > 0).map(({ word }) => word);
    expect(met).toEqual(expect.arrayContaining(["提前", "通知"]));
  });

  test.each([
    ["tenant lease heating knob", "Either side may end it"],
    ["berapa lama libur karyawan?", "Surat dokter diperlukan"],
    ["tiền thuê nhà: hủy trước bao lâu?", "báo trước ba mươi ngày"],
    ["租金合同多久告知房东？", "提前三十天书面通知"],
  ])("%s: a context that would bring it in gives the rank that was told", async (question, expected) => {
    const report = await konteks.why(question, { expect: expected, k: 1, rerank: false });
    const remedy = report.remedies.find(({ change }) => change.startsWith("a context that names"));
    expect(remedy?.rank).toBe(1);
    const before = await konteks.search(question);
    const words = [...(remedy?.change ?? "").matchAll(/"([^"]+)"/g)].map(([, word]) => word).join(", ");
    const [lost] = report.chunks;
    const changed = await withContext(lost?.chunk.id ?? "", words);
    expect((await changed.search(question)).hits[0]?.chunkId).toBe(lost?.chunk.id);
    await changed.close();
    // The index itself was not touched.
    expect((await konteks.search(question)).hits).toEqual(before.hits);
  });

  test("nothing said is refused", async () => {
    await expect(konteks.why("x", { expect: " " })).rejects.toThrow(/should have been found/);
  });
});
