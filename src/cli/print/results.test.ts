import { describe, expect, it } from "vitest";
import type { IngestReport } from "../../spec/index.ts";
import { renderAnswer } from "./answer.ts";
import { renderHits } from "./hits.ts";
import { renderReport } from "./report.ts";
import { answer, citation, hit, noUsage, report, view } from "./results.fixture.ts";

describe("hits", () => {
  it("show rank, title, place, scores by name, source words, and the context apart from them", () => {
    expect(renderHits({ query: "revenue", hits: [hit], trace: [] }, view)).toBe(
      [
        " 1  ACME, second quarter",
        "    reports/acme.md:12  Results > Revenue",
        "    rrf 0.0325 · bm25 7.41 (#1 in text) · cosine 0.5123 (#2 in vector)",
        "    Revenue grew by 3 % over the previous quarter.",
        "    context (structural, not source): [From: ACME, second quarter, Revenue]",
      ].join("\n"),
    );
  });

  it("name the page where there are pages, and the id where there is no file", () => {
    const paged = renderHits({ query: "q", hits: [{ ...hit, pages: [3, 4] }], trace: [] }, view);
    expect(paged).toContain("reports/acme.md, pages 3–4");
    expect(renderHits({ query: "q", hits: [{ ...hit, uri: "note-7" }], trace: [] }, view)).toContain(
      "note-7:12",
    );
  });

  it("say plainly that there are none", () => {
    expect(renderHits({ query: "xyz", hits: [], trace: [] }, view)).toBe("Nothing found for “xyz”.");
  });
});

describe("answers", () => {
  it("are labelled as extracts, with numbered citations and the quoted words", () => {
    expect(renderAnswer(answer, view)).toBe(
      [
        "Revenue grew by 3 % over the previous quarter. [1]",
        "",
        "Extracts, word for word from the documents; no model was asked.",
        "",
        "[1] ACME, second quarter",
        "    reports/acme.md:12  Results > Revenue",
        "    “Revenue grew by 3 % over the previous quarter.”",
      ].join("\n"),
    );
  });

  it("break lines at the width of the terminal, not where the source did", () => {
    const text = renderAnswer(
      { ...answer, text: "The airport, opened nine years\n  later. [1]\nNext. [2]" },
      view,
    );
    expect(text).toMatch(/^The airport, opened nine years later\. \[1\]\nNext\. \[2\]\n/);
    const list = renderAnswer({ ...answer, kind: "generated", text: "Two:\n- a [1]\n- b [1]" }, view);
    expect(list).toMatch(/^Two:\n- a \[1\]\n- b \[1\]\n/);
  });

  it("name the model that wrote them, and the quote that is not in the source", () => {
    const doubtful = { ...citation, verified: false };
    const text = renderAnswer({ ...answer, kind: "generated", model: "p:m", citations: [doubtful] }, view);
    expect(text).toContain("Written by p:m");
    expect(text).toContain("these words were not found in the source");
    expect(text).not.toContain("Extracts");
  });

  it("say plainly that nothing was found, with what came nearest", () => {
    const text = renderAnswer(
      { ...answer, kind: "none", text: "", citations: [], notes: ["no match"] },
      view,
    );
    expect(text).toMatch(/^Not found in these documents\./);
    expect(text).toContain("note: no match");
    expect(text).toContain("Nearest, but no answer:\n  reports/acme.md:12");
  });
});

describe("reports", () => {
  it("count what changed", () => {
    expect(renderReport(report, view)).toBe("3 added, 12 unchanged, 1 deleted in 1.2 s (41 chunks written)");
  });

  it("name what failed, and cut long lists with the way to the rest", () => {
    const failed = Array.from({ length: 23 }, (_, i) => ({ id: `f${i}.pdf`, reason: "encrypted" }));
    const text = renderReport({ ...report, failed, incomplete: [{ chunkId: "a#1", reason: "429" }] }, view);
    expect(text).toContain("Failed (23):\n  f0.pdf: encrypted");
    expect(text).toContain("f19.pdf");
    expect(text).not.toContain("f20.pdf");
    expect(text).toContain("and 3 more; --json lists all");
    expect(text).toContain("a#1: 429");
  });

  it("say once what many chunks lack for one reason", () => {
    const limit = Array.from({ length: 40 }, (_, i) => ({ chunkId: `a#${i}`, reason: "no room" }));
    const text = renderReport({ ...report, incomplete: [...limit, { chunkId: "b#1", reason: "429" }] }, view);
    expect(text).toContain(
      "In the index, but incomplete (41):\n  a#0 and 39 others (--json lists all): no room\n  b#1: 429",
    );
  });

  it("say a file's name once, and of kinds that are not read only what they are", () => {
    const reason = '"a.eml" is an e-mail (.eml), which is not supported yet. Save it as text.';
    const text = renderReport({ ...report, unsupported: [{ id: "a.eml", reason }] }, view);
    expect(text).toContain("\n  a.eml: is an e-mail (.eml), which is not supported yet.");
    expect(text).not.toContain("Save it");
  });

  it("say once that files which failed before were not tried again", () => {
    const failed = ["a.pdf", "b.pdf"].map((id) => ({ id, reason: "is a scan.", unchanged: true as const }));
    const of = (files: IngestReport["failed"]) => renderReport({ ...report, failed: files }, view);
    expect(of(failed)).toContain(
      "\n  a.pdf: is a scan.\n  b.pdf: is a scan.\n  (None of these has changed since the last run, so they were not tried again; --force does.)",
    );
    expect(of([...failed, { id: "c.pdf", reason: "is a scan." }])).toContain("(2 of these have not changed");
  });

  it("tell what models used", () => {
    const contexts = { ...noUsage, calls: 2, inputTokens: 1500, outputTokens: 90, cacheReadTokens: 700 };
    expect(renderReport({ ...report, usage: { ...report.usage, contexts } }, view)).toContain(
      "Contexts: 2 calls, 1,500 tokens in, 700 tokens from the cache, 90 tokens out",
    );
  });
});

it("tells rows of tables apart from what is quoted word for word", () => {
  const row = "| SKU-4521 | 96.50 |";
  const text = "article: SKU-4521; price: 96.50 [1]";
  const sentences = [
    { start: 0, end: text.length, citations: [0], verdict: "supported" as const, reasons: [] },
  ];
  const retold = { ...answer, text, sentences, citations: [{ ...citation, quote: row }] };
  expect(renderAnswer(retold, view)).toContain("rows of tables with the cells of their header; no model");
  expect(renderAnswer(answer, view)).toContain("word for word from the documents; no model");
});

it("shows a word that is broken at a line end without a gap", () => {
  const quote = "The con-\ntract ends in 2019-\n2020, or af\u00ad\nter that.";
  expect(renderAnswer({ ...answer, citations: [{ ...citation, quote }] }, view)).toContain(
    "“The con-tract ends in 2019- 2020, or after that.”",
  );
});

it("shows the items of a list that is quoted on lines of their own", () => {
  const quote = "You need:\n\n- the\nreceipt\n- the box";
  const list = { ...answer, text: `${quote} [1]`, citations: [{ ...citation, quote }] };
  const shown = renderAnswer(list, view);
  expect(shown).toContain("You need:\n- the receipt\n- the box [1]");
  expect(shown).toContain("“You need:\n    - the receipt\n    - the box”");
});
