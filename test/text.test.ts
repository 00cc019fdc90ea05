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

test("a quoted phrase comes first, and the rest follows", async () => {
  await kb.ingest([
    { id: "apart", text: "The margin net of interest: interest, margin, net, net, margin, interest." },
    {
      id: "phrase",
      text: "In the long run the bank's Net Interest\nMargin fell, as its annual report explains at length.",
    },
  ]);
  const ids = async (query: string, options = {}) =>
    (await kb.search(query, options)).hits.map(({ documentId }) => documentId);
  expect(await ids("net interest margin")).toEqual(["apart", "phrase"]);
  expect(await ids('"net interest margin"')).toEqual(["phrase", "apart"]);
  expect(await ids('"net interest margin"', { mustMatch: "none" })).toEqual(["apart", "phrase"]);
  expect(await ids('"margin of safety"')).toEqual(["apart", "phrase"]);
});

test("a phrase is found over a word that is broken at a line end", async () => {
  await kb.ingest([
    { id: "other", text: "Notes on retrieval. On methods in general. The context of documents." },
    { id: "broken", text: "A long report on contextual re-\ntrieval methods and on well-\nknown ones." },
  ]);
  const first = async (query: string) => (await kb.search(query)).hits[0]?.documentId;
  expect(await first('"retrieval methods"')).toBe("broken");
  expect(await first('"re-trieval methods"')).toBe("broken");
  expect(await first('"well-known ones"')).toBe("broken");
});

test.each([
  ["what's the budget, roughly?", "budget"],
  ["@nasa", "nasa"],
  ["a OR", "or"],
  ["x:y", "colon"],
  ["NOT", "not"],
  ["c++ (is", "c++"],
  ['the "open budget', "budget"],
  ["to be or not to be", "not"],
  ["the who", "the"],
  ["don", "don"],
  ["OvertimeService", "code"],
  ["overtime", "code"],
  ["3,85", "number"],
  ["co so du lieu", "vi"],
  ["务院", "zh"],
])("%s is searched for its words, and finds nothing without them", async (query, expected) => {
  await kb.ingest([
    { id: "budget", text: "Budget: 40,000 euros. Open until May." },
    { id: "nasa", text: "Reported by @nasa on Monday." },
    { id: "or", text: "Either yes OR no." },
    { id: "colon", text: "Write x:y between them." },
    { id: "not", text: "Whether to be or not to be." },
    { id: "the", text: "Tickets for The Who." },
    { id: "don", text: "Don went home." },
    { id: "c++", text: "c++ is compiled." },
    { id: "code", text: "class OvertimeService {}" },
    { id: "number", text: "3,85 kg" },
    { id: "vi", text: "Hệ quản trị cơ sở dữ liệu.", language: "vi" },
    { id: "zh", text: "中华人民共和国国务院办公厅" },
    { id: "blank", text: " \n" },
    { id: "none", text: "Bananas ripen faster beside apples." },
  ]);
  const { hits } = await kb.search(query, { k: 20 });
  expect(hits[0]?.documentId).toBe(expected);
  for (const { documentId, score } of hits) {
    expect(documentId).not.toBe("none");
    expect(score).toBeGreaterThan(0);
  }
});

test.each(["", "  ", '"', "?!", "…", "()"])("a query without words finds nothing: %j", async (query) => {
  expect((await kb.search(query)).hits).toEqual([]);
  await kb.ingest([
    { id: "one", text: "Some text." },
    { id: "blank", text: "\n" },
  ]);
  expect((await kb.search(query)).hits).toEqual([]);
});

test("k1, b and the weights of fields are set for the index and for a query", async () => {
  const documents = [
    { id: "title", title: "Margin", text: "Rates of interest, over the year and by region." },
    { id: "body", title: "Rates", text: "The margin, and once more the margin." },
  ];
  await kb.ingest(documents);
  const first = async (bm25: object) => (await kb.search("margin", { bm25 })).hits[0]?.documentId;
  const only = (field: string) => ({
    k1: 0.9,
    documentWeight: 0,
    fields: {
      title: { weight: 0 },
      context: { weight: 0 },
      body: { weight: 0 },
      [field]: { weight: 1, b: 0.4 },
    },
  });
  expect(await first(only("title"))).toBe("title");
  expect(await first(only("body"))).toBe("body");
  const other = await openKonteks({ path: join(folder, "other"), embedding: "none", bm25: only("title") });
  await other.ingest(documents);
  expect((await other.search("margin")).hits[0]?.documentId).toBe("title");
  await other.close();
});

test("among passages that read alike, the one whose document is named comes first", async () => {
  const clause = "The recipient may disclose confidential information to its employees.";
  const parties = ["Aldgate", "Brightwater", "Castellan", "Halvorsen", "Nusantara"];
  await kb.ingest(
    parties.map((party, i) => ({
      id: `contract-${i}`,
      title: `Contract ${i}`,
      text: `This agreement is made with ${party}.\n\n${clause}`,
      chunks: [
        { start: 0, end: 29 + party.length, context: "" },
        { start: 31 + party.length, end: 31 + party.length + clause.length, context: "" },
      ],
    })),
  );
  const question = "May Halvorsen's employees be told confidential information?";
  const first = async (options = {}) =>
    (await kb.search(question, { k: 10, ...options })).hits.find(({ text }) => text === clause)?.documentId;
  expect(await first()).toBe("contract-3");
  expect(await first({ bm25: { documentWeight: 0 } })).toBe("contract-0");
});
