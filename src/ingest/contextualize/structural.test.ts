import { expect, test } from "vitest";
import type { Chunk, Document } from "../../spec/index.ts";
import { structuralContext } from "./structural.ts";

function document(parts: Partial<Document>): Document {
  return {
    id: "report.md",
    text: "",
    title: "Annual Report 2025",
    uri: "report.md",
    format: "markdown",
    metadata: {},
    outline: [],
    blocks: [],
    ...parts,
  };
}

function chunkUnder(...headings: string[]): Chunk {
  return {
    id: "report.md#0",
    documentId: "report.md",
    ordinal: 0,
    start: 0,
    end: 4,
    text: "text",
    headings,
    lines: [1, 1],
    tokens: 1,
  };
}

test("names title, organisation and heading path", () => {
  const context = structuralContext(
    document({ metadata: { company: "ACME Corp" } }),
    chunkUnder("Results", "Revenue"),
  );
  expect(context).toEqual({
    kind: "structural",
    text: "[From: Annual Report 2025, ACME Corp, section Results > Revenue]",
  });
});

test("is written in the form of the document's language", () => {
  const indonesian = document({
    language: "id",
    title: "Laporan Tahunan 2025",
    metadata: { perusahaan: "PT Contoh Jaya" },
  });
  expect(structuralContext(indonesian, chunkUnder("Ringkasan Keuangan")).text).toBe(
    "[Dari: Laporan Tahunan 2025, PT Contoh Jaya, bagian Ringkasan Keuangan]",
  );
  const vietnamese = document({
    language: "vi",
    title: "Báo cáo quý 2",
    metadata: { "công ty": "Công ty An Phú" },
  });
  expect(structuralContext(vietnamese, chunkUnder()).text).toBe("[Trích từ: Báo cáo quý 2, Công ty An Phú]");
  const chinese = document({ language: "zh", title: "季度报告" });
  expect(structuralContext(chinese, chunkUnder("收入")).text).toBe("[出自: 季度报告, 章节 收入]");
});

test("takes forms of the user's own", () => {
  const forms = { en: { from: "Source", section: "part" } };
  expect(structuralContext(document({}), chunkUnder("Results"), { forms }).text).toBe(
    "[Source: Annual Report 2025, part Results]",
  );
});

test("says nothing twice", () => {
  const context = structuralContext(
    document({ title: "ACME Corp: Q2 2023", metadata: { company: "ACME Corp", period: "Q2 2023" } }),
    chunkUnder("ACME Corp: Q2 2023", "Revenue"),
  );
  expect(context.text).toBe("[From: ACME Corp: Q2 2023, section Revenue]");
});

test("without metadata the first lines speak for the document, and code is known by its path", () => {
  const text = "This agreement is made between Alpha Ltd and Beta GmbH.\n\nMore.";
  const contract = document({
    title: "nda",
    format: "text",
    text,
    blocks: [{ kind: "paragraph", start: 0, end: 55 }],
  });
  expect(structuralContext(contract, chunkUnder()).text).toBe(
    "[From: nda, This agreement is made between Alpha Ltd and Beta GmbH.]",
  );
  const code = document({ id: "src/overtime.ts", title: "overtime.ts", format: "code" });
  expect(structuralContext(code, chunkUnder("OvertimeService")).text).toBe(
    "[From: overtime.ts, src/overtime.ts, section OvertimeService]",
  );
});

test("names of files are read as words; numbers and hashes are left out", () => {
  const text = "This agreement is made between Alpha Ltd and Beta GmbH.";
  const named = (id: string, title: string) =>
    structuralContext(document({ id, title, format: "text", text }), chunkUnder()).text;
  expect(named("x/Alpha%20NDA_2.txt", "Alpha%20NDA_2")).toBe(`[From: Alpha NDA 2, ${text}]`);
  expect(named("0017", "0017")).toBe(`[From: ${text}]`);
  expect(named("3ffd9053-a45d-491c-957a-1b2fa0af0570", "3ffd9053-a45d-491c-957a-1b2fa0af0570")).toBe(
    `[From: ${text}]`,
  );
  expect(named("报告.txt", "报告")).toContain("报告");
  expect(named("a.txt", "snake_case of a title")).toContain("snake_case of a title");
  const metadata = { title: "use_state" };
  expect(structuralContext(document({ id: "use_state.md", ...metadata, metadata }), chunkUnder()).text).toBe(
    "[From: use_state]",
  );
});

test("a date, or a program that calls itself the author, does not keep the opening out", () => {
  const text = "Ducks are birds that swim on ponds.";
  const metadata = { author: "python-docx", date: "2013-12-23" };
  expect(structuralContext(document({ title: "Birds", text, metadata }), chunkUnder()).text).toBe(
    `[From: Birds, ${text}, 2013-12-23]`,
  );
});

test("is the same for a document that was read back from an index, without its blocks", () => {
  const text = "Menu\n\nDucks are birds that swim on ponds.";
  const blocks = [{ kind: "paragraph" as const, start: 0, end: 4 }];
  const [read, back] = [document({ text, blocks }), document({ text })];
  expect(structuralContext(read, chunkUnder()).text).toBe(structuralContext(back, chunkUnder()).text);
});

test("is cut at white space, never inside a surrogate pair", () => {
  const long = structuralContext(document({ title: `${"word ".repeat(200)}` }), chunkUnder(), {
    maxLength: 50,
  });
  expect(long.text.length).toBeLessThanOrEqual(50 + "[From: ]".length);
  expect(long.text).toMatch(/word…\]$/);
  const emoji = structuralContext(document({ title: "😀".repeat(100) }), chunkUnder(), { maxLength: 50 });
  expect(emoji.text.isWellFormed()).toBe(true);
});
