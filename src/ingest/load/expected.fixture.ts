/** What must be found of a file that is read; chosen by reading the file. */
export interface Expected {
  readonly language?: string;
  readonly title?: string;
  /** In the order they stand in. */
  readonly phrases: readonly string[];
  readonly without?: readonly string[];
  readonly pages?: number;
  readonly warning?: string;
  readonly password?: string;
}

/** Files that come in, by their ids. */
export const loaded: Readonly<Record<string, Expected>> = {
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
      "5.1 Main Results",
      "5.2 Ablation Study on Model Training",
      "Adding more training examples (from 1k to 59k) further improves the retrieval accuracy consistently.",
      "Gold | 7 | 3 | 51.1 | 69.1 | 80.8",
      "DPR | 41.5 | 56.8 | 34.6 | 25.9 | 29.8",
      "Overall, our DPR-based models outperform",
      "7 Related Work",
      "Richard Socher, and Caiming Xiong. 2020.",
    ],
  },
  "pdf/layout-parser-paper.pdf": {
    pages: 4,
    title: "LayoutParser: A Unified Toolkit for Deep Learning Based Document Image Analysis",
    warning: "Page 2 has no text layer",
    phrases: [
      "Though there have been on-going efforts to improve",
      "arXiv:2103.15348v2",
      "This page is intentionally left blank",
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
    phrases: [
      "تحسين الإنتاجية",
      "تعتبر البرمجة بلغة R و Python من الأدوات القوية",
      "علاوة على ذلك",
      "في النهاية",
      "للمشكلات المعقدة",
    ],
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
  "docx/header-footer.docx": { title: "Main document", phrases: ["Main document", "First header para"] },
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
  "eml/attachment.eml": {
    language: "en",
    title: "Fake email with attachment",
    phrases: [
      "From: Mallori Harrell <mallori@unstructured.io>",
      "Date: 2022-12-23",
      "Here's the attachments!",
      "and is a quick read",
      "Attachments: fake-attachment.txt",
    ],
  },
  "eml/html-only.eml": {
    title: "Example HTML Only MIME Email",
    phrases: ["This is a text/html part.", "Gmail was launched by Google in 2004"],
  },
  "eml/no-body.eml": {
    title: "Image Only Email",
    phrases: ["Attachments: image.jpg"],
    warning: "no text of its own",
  },
  "eml/not-utf8.eml": {
    title: "Google Account password changed",
    phrases: ["was recently changed.", "clicking this link: https://accounts.google.com/RecoverAccount"],
  },
  "ipynb/classification-guide.ipynb": {
    language: "en",
    title: "Classification with Claude",
    phrases: [
      "!pip install anthropic",
      "Large Language Models (LLMs) have revolutionized the field of classification",
      "Insurance Support Ticket Classifier",
      "import pandas as pd",
    ],
    without: ["iVBORw0KGgo"],
  },
  "other/opendocument.odt": {
    phrases: ["Lorem ipsum dolor sit amet.", "Header row | Mon | Wed | Fri", "Leader | Sarah | Mark | Ryan"],
  },
  "other/rich.rtf": {
    title: "My First Heading",
    phrases: ["My first paragraph.", "Column 1 | Column 2", "Row 2, Cell 1 | Row 2, Cell 2"],
  },
  "other/workbook.xlsx": {
    language: "en",
    pages: 5,
    phrases: [
      "Revenue and results",
      "Trading operating profit",
      "Zone EUR | 9467 | 1570 | 1373 | -197",
      "Total | 45580 | 7683 | 6684",
      "Impairment of goodwill",
    ],
  },
  "code/text_splitter.ts": { phrases: ["export abstract class TextSplitter"] },
  "code/pdf_page.py": { phrases: ["class PageObject"] },
};

/** Files that are refused, with the code of the error. */
export const refused: Readonly<Record<string, string>> = {
  "pdf/scanned-ocr-test.pdf": "no-text",
  "pdf/table-multi-row.pdf": "no-text",
  "pdf/encrypted-paper-page.pdf": "encrypted",
  "pdf/encrypted-user-password.pdf": "encrypted",
  "pdf/encrypted-both-passwords.pdf": "encrypted",
};
