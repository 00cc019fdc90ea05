import { existsSync } from "node:fs";
import { join, resolve } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { type Document, isKonteksError } from "../../spec/index.ts";
import { listFiles, loadFile } from "./index.ts";
import type { FoundFile, LoadOptions } from "./types.ts";

const root = join(resolve(process.env.KONTEKS_DATA ?? "../shared/datasets"), "files");
let files: ReadonlyMap<string, FoundFile>;

beforeAll(async () => {
  if (!existsSync(root))
    throw new Error(`The evaluation data is not at ${root}. Set KONTEKS_DATA to its folder.`);
  files = new Map((await listFiles(root)).map((file) => [file.id, file]));
});

async function load(id: string, options: LoadOptions = {}): Promise<Document> {
  const file = files.get(id);
  if (file === undefined) throw new Error(`${id} is not among the files`);
  return (await loadFile(file, options)).document;
}

/** Phrases stand on one line here, whatever the lines of the document are. */
const flat = (text: string) => text.replace(/\s+/g, " ");

function expectSound({ text, blocks, outline, pages, title }: Document): void {
  let at = 0;
  for (const { start, end } of blocks) {
    expect(text.slice(at, start).trim()).toBe("");
    expect(end).toBeGreaterThan(start);
    at = end;
  }
  expect(text.slice(at).trim()).toBe("");
  for (const heading of outline) expect(text.slice(heading.start, heading.end).trim()).not.toBe("");
  for (const page of pages ?? []) expect(page.start).toBeLessThanOrEqual(text.length);
  expect(title).not.toBe("");
}

interface Expected {
  readonly language?: string;
  readonly title?: string;
  /** In the order they stand in. */
  readonly phrases: readonly string[];
  readonly without?: readonly string[];
  readonly pages?: number;
  readonly warning?: string;
  readonly password?: string;
}

const loaded: Readonly<Record<string, Expected>> = {
  "pdf/two-column-paper.pdf": {
    language: "en",
    title: "Dense Passage Retrieval for Open-Domain Question Answering",
    pages: 13,
    phrases: [
      "Barlas Oğuz",
      "In this work, we show that retrieval can be practically implemented",
      "establish new state-of-the-art on multiple open-domain QA benchmarks.",
      "1 Introduction",
      "(1) a context retriever first selects a small subset of passages where some of them contain the answer",
      "Retrieval in open-domain QA is usually",
      "2 Background",
      "3.1 Overview",
      "Table 2: Top-20 & Top-100 retrieval accuracy on test sets",
    ],
  },
  "pdf/layout-parser-paper.pdf": {
    pages: 4,
    title: "LayoutParser: A Unified Toolkit for Deep Learning Based Document Image Analysis",
    warning: "Pages 2–3 have no text layer",
    phrases: [
      "Though there have been on-going efforts to improve",
      "arXiv:2103.15348v2",
      "there are several practical difficulties",
      "off-the-shelf toolkit",
    ],
  },
  "pdf/arxiv-geotopo-117p.pdf": {
    language: "de",
    pages: 117,
    title: "Geometrie und Topologie",
    phrases: [
      "Einführung in die",
      "Mitschriften einiger Übungen und Tutorien",
      "Jérôme Urhausen",
      "Metrische Räume sind hausdorffsch",
    ],
  },
  "pdf/arabic-right-to-left.pdf": {
    language: "ar",
    phrases: ["تحسين الإنتاجية", "تعتبر البرمجة بلغة R و Python من الأدوات القوية", "في النهاية"],
  },
  "pdf/arabic-cid.pdf": { language: "ar", phrases: ["انواع الخطوط العربية"] },
  "pdf/korean-tables.pdf": {
    language: "ko",
    phrases: [
      "업종 | 적립 대상",
      "온라인쇼핑몰 | 삼성카드 쇼핑, G마켓, 옥션, 11번가, 인터파크, 쿠팡, 티몬, 위메프",
      "서비스 제공 기준",
    ],
  },
  "pdf/ligatures.pdf": { phrases: ["abcdeffffiflffifflststghijklmno"] },
  "pdf/with-attachment.pdf": {
    phrases: ["Lorem ipsum dolor sit amet, consetetur sadipscing elitr", "no sea takimata sanctus est"],
  },
  "pdf/scan-bad.pdf": { phrases: ["pdf.js"], warning: "hardly any text" },
  "pdf/encrypted-paper-page.pdf": {
    password: "1234",
    phrases: [
      "Distribution of DocLayNet pages",
      "Counterexamples of documents not included",
      "The pages in DocLayNet can be grouped into six distinct",
      "Table 1 shows the overall frequency",
      "human annotation has several",
    ],
  },
  "pdf/encrypted-user-password.pdf": { password: "asdfzxcv", phrases: ["pdf encryption test"] },
  "pdf/encrypted-both-passwords.pdf": { password: "bar", phrases: ["pdf encryption test"] },
  "docx/handbook-872p.docx": {
    language: "en",
    phrases: [
      "Executive Office for United States Trustees",
      "STATUTORY DUTIES OF A STANDING TRUSTEE",
      "11 U.S.C. § 343",
    ],
  },
  "docx/tables.docx": {
    phrases: [
      "Simple uniform table",
      "Header Col 1 | Header Col 2 Lorem ipsum | A link example",
      "d | e, f; g&t, h | i",
      "Table with merged cells",
    ],
  },
  "docx/word-sample.docx": {
    title: "Summer activities",
    phrases: [
      "Summer activities",
      "Let’s swim!",
      "- Enjoy summer warmth",
      "2. Don’t forget to drink water",
      "Berries | Blueberry, Strawberry, Cranberry | 150",
    ],
  },
  "docx/comments.docx": {
    title: "Document with Comments",
    phrases: [
      "that has a comment attached to it. This second paragraph",
      "This is a sample reviewer comment on the first paragraph.",
    ],
    without: ["it.[JR1]", "↑"],
  },
  "docx/header-footer.docx": { phrases: ["Main document"] },
  "html/utf16-datasheet.html": {
    phrases: [
      "SNB22-3 Chemical composition, standards and properties",
      "C | Si | Mn | P | S | Cr | Mo 0.39 - 0.46 | 0.2 - 0.35",
      "Bars | 890 | 1000 | 12 | 40",
    ],
  },
  "html/10k-inline.html": {
    language: "en",
    phrases: [
      "For the fiscal year ended December 31, 2021",
      "• Expand our portfolio of services, products and technologies",
      "Total assets | $40,452,705 | $30,574,594",
      "Accumulated deficit | (33,543,351) | (35,655,163)",
    ],
  },
  "html/wikipedia-duck.html": {
    language: "en",
    title: "Duck",
    phrases: [
      "Order: | Anseriformes",
      "Duck is the common name for numerous species of waterfowl",
      "Etymology",

      "Distribution and habitat",
      "External links",
    ],
    without: ["Create account", "136 languages", "[edit]", "Hidden categories"],
  },
  "html/wikipedia-mozilla.expected.html": {
    phrases: ["Mozilla is a free-software community", "Mozilla Mercurial Repository"],
  },
  "md/react-thinking.id.md": {
    language: "id",
    title: "Cara Berpikir dengan React",
    phrases: ["title: Cara Berpikir dengan React"],
  },
  "md/react-tutorial.id.md": {
    language: "id",
    title: "Tutorial: Tic-Tac-Toe",
    phrases: ["konsep-konsep React yang sama bekerja"],
  },
  "md/react-useEffect.id.md": {
    language: "id",
    title: "useEffect",
    phrases: ["mengukur dan memposisikan tooltip sebelum pengguna melihatnya."],
  },
  "md/umlauts-non-utf8.md": { title: "können", phrases: ["äöüß"], warning: "windows-1252" },
  "text/utf16-bom.txt": {
    phrases: ["This is a test document to use for unit tests.", "I love fuzzy blankets"],
  },
  "text/utf16-le-nobom.txt": { phrases: ["DateTime,Bid,Ask", "1.08307,1.08353"], warning: "UTF-16LE" },
  "text/windows-1252-a.txt": {
    language: "de",
    phrases: ["Die Deutsche Schule gehört zum Netzwerk", "Kurz gefasst 10€."],
    warning: "windows-1252",
  },
  "text/windows-1252-b.txt": {
    language: "nl",
    phrases: ["tracht u zelf te vergeten"],
    warning: "windows-1252",
  },
  "text/shift-jis.xml": { language: "ja", phrases: ["ログラム</A>"] },
  "csv/comma-in-cell.csv": { phrases: ['a,",",c,d'] },
  "csv/emoji.csv": { phrases: ["👨\\U+1F3FB🔧,TOR,15"] },
  "csv/semicolon.csv": { phrases: ["colinalvarado@miles.net;2021-04-17"] },
  "csv/tab.csv": { phrases: ["colinalvarado@miles.net 2021-04-17"] },
  "code/text_splitter.ts": { phrases: ["export abstract class TextSplitter"] },
  "code/pdf_page.py": { phrases: ["class PageObject"] },
};

const refused: Readonly<Record<string, string>> = {
  "pdf/scanned-ocr-test.pdf": "no-text",
  "pdf/table-multi-row.pdf": "no-text",
  "pdf/encrypted-paper-page.pdf": "encrypted",
  "pdf/encrypted-user-password.pdf": "encrypted",
  "pdf/encrypted-both-passwords.pdf": "encrypted",
  "eml/attachment.eml": "unsupported-format",
  "eml/html-only.eml": "unsupported-format",
  "eml/no-body.eml": "unsupported-format",
  "eml/not-utf8.eml": "unsupported-format",
  "ipynb/classification-guide.ipynb": "unsupported-format",
  "other/opendocument.odt": "unsupported-format",
  "other/rich.rtf": "unsupported-format",
  "other/workbook.xlsx": "unsupported-format",
};

describe("real files", () => {
  it.each(Object.entries(loaded))("%s comes in whole", async (id, expected) => {
    const document = await load(
      id,
      expected.password === undefined ? {} : { pdf: { password: expected.password } },
    );
    expectSound(document);
    const text = flat(document.text);
    let at = 0;
    for (const phrase of expected.phrases) {
      const found = text.indexOf(phrase, at);
      expect(found, `"${phrase}" after "${text.slice(Math.max(0, at - 40), at)}"`).toBeGreaterThanOrEqual(0);
      at = found;
    }
    for (const phrase of expected.without ?? []) expect(text).not.toContain(phrase);
    if (expected.language !== undefined) expect(document.language).toBe(expected.language);
    if (expected.title !== undefined) expect(document.title).toBe(expected.title);
    if (expected.pages !== undefined) expect(document.pages).toHaveLength(expected.pages);
    expect((document.warnings ?? []).join(" ")).toContain(expected.warning ?? "");
  });

  it.each(Object.entries(refused))("%s is refused: %s", async (id, code) => {
    const error = await load(id).catch((thrown: unknown) => thrown);
    expect(isKonteksError(error) ? error.code : error).toBe(code);
  });

  it("are all named here", () => {
    const known = new Set([...Object.keys(loaded), ...Object.keys(refused), "README.txt", "SOURCES.tsv"]);
    expect([...files.keys()].filter((id) => !known.has(id))).toEqual([]);
  });
});
