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

test("is cut at white space, never inside a surrogate pair", () => {
  const long = structuralContext(document({ title: `${"word ".repeat(200)}` }), chunkUnder(), {
    maxLength: 50,
  });
  expect(long.text.length).toBeLessThanOrEqual(50 + "[From: ]".length);
  expect(long.text).toMatch(/word…\]$/);
  const emoji = structuralContext(document({ title: "😀".repeat(100) }), chunkUnder(), { maxLength: 50 });
  expect(emoji.text.isWellFormed()).toBe(true);
});
