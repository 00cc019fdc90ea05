import { describe, expect, it } from "vitest";
import { isKonteksError } from "../../spec/index.ts";
import { loadOne, shown } from "./load-one.fixture.ts";
import { makeOffice, makeZip } from "./make-files.fixture.ts";
import { readNumberFormats } from "./xlsx-numbers.ts";
import { parseXml } from "./xml.ts";

const core =
  "<cp:coreProperties><dc:title>The plan</dc:title><dc:creator>Ada</dc:creator><dcterms:created>2024-05-06T07:08:09Z</dcterms:created></cp:coreProperties>";

function workbook(sheet: string, more: Readonly<Record<string, string>> = {}): Uint8Array {
  return makeOffice(
    {
      "xl/workbook.xml": '<workbook><sheets><sheet name="Costs" sheetId="1" r:id="r1"/></sheets></workbook>',
      "xl/sharedStrings.xml":
        "<sst><si><t>Item</t></si><si><r><t>Pri</t></r><r><t>ce</t></r><rPh><t>reading</t></rPh></si></sst>",
      "xl/styles.xml":
        '<styleSheet><numFmts><numFmt numFmtId="164" formatCode="dd/mm/yyyy"/></numFmts><cellXfs><xf numFmtId="0"/><xf numFmtId="164"/><xf numFmtId="9"/><xf numFmtId="22"/></cellXfs></styleSheet>',
      "xl/worksheets/sheet1.xml": `<worksheet><sheetData>${sheet}</sheetData></worksheet>`,
      "docProps/core.xml": core,
      ...more,
    },
    {
      "xl/workbook.xml": {
        r1: ["worksheet", "worksheets/sheet1.xml"],
        r2: ["sharedStrings", "sharedStrings.xml"],
        r3: ["styles", "styles.xml"],
      },
    },
  );
}

describe("XLSX", () => {
  it("gives sheets as sections, tables with headers, last values of formulas, dates and percentages", async () => {
    const document = await loadOne(
      "a.xlsx",
      workbook(
        '<row r="1"><c r="A1" t="inlineStr"><is><t>Costs of 2024</t></is></c></row>' +
          '<row r="3"><c r="A3" t="s"><v>0</v></c><c r="C3" t="s"><v>1</v></c></row>' +
          '<row r="4"><c r="A4" t="str"><v>Desk</v></c><c r="C4"><f>1+1</f><v>0.30000000000000004</v></c></row>' +
          '<row r="5"><c r="A5" s="1"><v>45292</v></c><c r="C5" s="2"><v>0.125</v></c></row>' +
          '<row r="6"><c r="A6" s="3"><v>45292.5</v></c><c r="C6" t="b"><v>1</v></c></row>',
      ),
    );
    expect(shown(document)).toEqual([
      "heading: Costs",
      "paragraph: Costs of 2024",
      "table: Item | Price\nDesk | 0.3\n2024-01-01 | 12.5%\n2024-01-01 12:00 | TRUE",
    ]);
    const { blocks, text, pages, title, metadata } = document;
    const header = blocks[2]?.header;
    expect(text.slice(header?.start, header?.end)).toBe("Item | Price");
    expect(pages).toEqual([{ number: 1, start: 0 }]);
    expect({ title, metadata }).toEqual({
      title: "The plan",
      metadata: { author: "Ada", date: "2024-05-06" },
    });
  });

  it("does not fill a sheet up to a stray cell, nor expand entities", async () => {
    const bomb = '<!DOCTYPE x [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;">]>';
    const document = await loadOne(
      "a.xlsx",
      workbook(
        '<row r="1"><c r="A1" t="str"><v>one</v></c><c r="XFD1" t="str"><v>far</v></c></row><row r="1048576"><c r="A1048576" t="str"><v>last</v></c></row>',
        {
          "xl/sharedStrings.xml": `${bomb}<sst><si><t>&b;</t></si></sst>`,
        },
      ),
    );
    expect(document.text.length).toBeLessThan(100);
    expect(document.text).toContain("last");
  });

  it("gives names that are merged over columns to each of them, and leaves captions and values alone", async () => {
    const cellOf = (at: string, value: string) => `<c r="${at}" t="str"><v>${value}</v></c>`;
    const number = (at: string, value: number) => `<c r="${at}"><v>${value}</v></c>`;
    const document = await loadOne(
      "a.xlsx",
      makeOffice(
        {
          "xl/workbook.xml": '<workbook><sheets><sheet name="A" r:id="r1"/></sheets></workbook>',
          "xl/a.xml": `<worksheet><sheetData><row r="1">${cellOf("A1", "Sales of the year")}</row>
            <row r="2">${cellOf("A2", "Region")}${cellOf("B2", "2023")}${cellOf("D2", "2024")}</row>
            <row r="3">${["A", "B", "C", "D", "E"].map((column) => cellOf(`${column}3`, `Q${column}`)).join("")}</row>
            <row r="4">${cellOf("A4", "All")}${number("C4", 5)}</row></sheetData>
            <mergeCells><mergeCell ref="A1:E1"/><mergeCell ref="B2:C2"/><mergeCell ref="D2:XFD2"/><mergeCell ref="A4:B4"/></mergeCells></worksheet>`,
        },
        { "xl/workbook.xml": { r1: ["worksheet", "a.xml"] } },
      ),
    );
    expect(document.text).toBe(
      "A\n\nSales of the year\n\nRegion | 2023 | 2023 | 2024 | 2024\nQA | QB | QC | QD | QE\nAll |  | 5",
    );
  });

  it("fills merged cells down, and gives the formula where no value was ever computed", async () => {
    const cellOf = (at: string, value: string) => `<c r="${at}" t="str"><v>${value}</v></c>`;
    const document = await loadOne(
      "a.xlsx",
      makeOffice(
        {
          "xl/workbook.xml": '<workbook><sheets><sheet name="A" r:id="r1"/></sheets></workbook>',
          "xl/a.xml": `<worksheet><sheetData><row r="1">${cellOf("A1", "Region")}${cellOf("B1", "City")}</row>
            <row r="2">${cellOf("A2", "North")}${cellOf("B2", "Oslo")}</row><row r="3">${cellOf("B3", "Bergen")}</row>
            <row r="4"/><row r="5"><c r="B5"><f>SUM(A1:A2)</f></c></row></sheetData>
            <mergeCells><mergeCell ref="A2:A4"/></mergeCells></worksheet>`,
        },
        { "xl/workbook.xml": { r1: ["worksheet", "a.xml"] } },
      ),
    );
    expect(document.text).toBe("A\n\nRegion | City\nNorth | Oslo\nNorth | Bergen\n\n=SUM(A1:A2)");
  });

  it.each([
    ['#,##0.00 "€"', 1234.5, "1234.5 €"],
    ["[$$-409]#,##0.00", -7, "-$7"],
    ['_("$"* #,##0.00_);_("$"* (#,##0.00)', 3, "$3"],
    ["[$Rp-421]#,##0", 5000, "Rp 5000"],
    ['0.0" kg"', 2.5, "2.5 kg"],
    ['0.0,,"M"', 2_500_000, "2.5M"],
    ["00000", 42, "00042"],
    ["[Red]#,##0", 42, undefined],
  ])("shows a number in %s as the sheet does", async (code, value, text) => {
    const xml = `<s><numFmts><numFmt numFmtId="164" formatCode="${code.replaceAll('"', "&quot;")}"/></numFmts><cellXfs><xf numFmtId="164"/></cellXfs></s>`;
    const [format] = readNumberFormats(await parseXml(xml), false);
    expect(format?.(value)).toBe(text);
  });

  it("names a sheet that cannot be read", async () => {
    const document = await loadOne(
      "a.xlsx",
      makeOffice(
        {
          "xl/workbook.xml":
            '<workbook><sheets><sheet name="A" r:id="r1"/><sheet name="B" r:id="r2"/></sheets></workbook>',
          "xl/a.xml": '<worksheet><sheetData><row><c t="str"><v>ok</v></c></row></sheetData></worksheet>',
        },
        { "xl/workbook.xml": { r1: ["worksheet", "a.xml"], r2: ["worksheet", "missing.xml"] } },
      ),
    );
    expect(document.text).toBe("A\n\nok");
  });
});

describe("PPTX", () => {
  const shape = (type: string, paragraphs: string) =>
    `<p:sp><p:nvSpPr><p:nvPr><p:ph type="${type}"/></p:nvPr></p:nvSpPr><p:txBody>${paragraphs}</p:txBody></p:sp>`;
  const paragraph = (text: string, level = 0) =>
    `<a:p><a:pPr lvl="${level}"/><a:r><a:t>${text}</a:t></a:r></a:p>`;
  const slide = (shapes: string) => `<p:sld><p:cSld><p:spTree>${shapes}</p:spTree></p:cSld></p:sld>`;

  it("gives a chart as its title and the table it was drawn from", async () => {
    const points = (...values: string[]) =>
      values.map((value, index) => `<c:pt idx="${index}"><c:v>${value}</c:v></c:pt>`).join("");
    const series = (name: string, ...values: string[]) =>
      `<c:ser><c:tx><c:strRef><c:strCache>${points(name)}</c:strCache></c:strRef></c:tx><c:cat><c:strRef><c:strCache>${points("East", "West")}</c:strCache></c:strRef></c:cat><c:val><c:numRef><c:numCache>${points(...values)}</c:numCache></c:numRef></c:val></c:ser>`;
    const document = await loadOne(
      "a.pptx",
      makeOffice(
        {
          "ppt/presentation.xml":
            '<p:presentation><p:sldIdLst><p:sldId id="256" r:id="r1"/></p:sldIdLst></p:presentation>',
          "ppt/slides/slide1.xml": slide(shape("title", paragraph("Sales"))),
          "ppt/charts/chart1.xml": `<c:chartSpace><c:chart><c:title><c:tx><c:rich><a:p><a:r><a:t>By region</a:t></a:r></a:p></c:rich></c:tx></c:title><c:plotArea><c:barChart>${series("2023", "19.199999999999999", "21")}${series("2024", "20", "22")}</c:barChart></c:plotArea></c:chart></c:chartSpace>`,
        },
        {
          "ppt/presentation.xml": { r1: ["slide", "slides/slide1.xml"] },
          "ppt/slides/slide1.xml": { r1: ["chart", "../charts/chart1.xml"] },
        },
      ),
    );
    expect(shown(document).slice(1)).toEqual([
      "paragraph: Chart: By region",
      "table: Category | 2023 | 2024\nEast | 19.2 | 20\nWest | 21 | 22",
    ]);
  });

  it("gives slides in their order, with titles, lists, tables and notes", async () => {
    const document = await loadOne(
      "a.pptx",
      makeOffice(
        {
          "ppt/presentation.xml":
            '<p:presentation><p:sldIdLst><p:sldId id="257" r:id="r2"/><p:sldId id="256" r:id="r1"/></p:sldIdLst></p:presentation>',
          "ppt/slides/slide2.xml": slide(
            shape("body", paragraph("First point") + paragraph("Detail", 1)) +
              shape("title", paragraph("Results")) +
              shape("sldNum", paragraph("1")),
          ),
          "ppt/slides/slide1.xml": slide(
            `<p:graphicFrame><a:tbl>${[
              ["Team", "Cups"],
              ["Blues", "1"],
            ]
              .map(
                (row) =>
                  `<a:tr>${row.map((cell) => `<a:tc><a:txBody>${paragraph(cell)}</a:txBody></a:tc>`).join("")}</a:tr>`,
              )
              .join("")}</a:tbl></p:graphicFrame>`,
          ),
          "ppt/notesSlides/notesSlide1.xml": slide(shape("body", paragraph("Say it slowly"))),
        },
        {
          "ppt/presentation.xml": { r1: ["slide", "slides/slide1.xml"], r2: ["slide", "slides/slide2.xml"] },
          "ppt/slides/slide2.xml": { r1: ["notesSlide", "../notesSlides/notesSlide1.xml"] },
        },
      ),
    );
    expect(shown(document)).toEqual([
      "heading: Results",
      "list-item: - First point",
      "list-item: - Detail",
      "paragraph: Notes: Say it slowly",
      "heading: Slide 2",
      "table: Team | Cups\nBlues | 1",
    ]);
    expect(document.pages?.map(({ number }) => number)).toEqual([1, 2]);
    expect(document.title).toBe("Results");
  });
});

describe("OpenDocument", () => {
  const open = (type: string, body: string) =>
    makeZip({
      mimetype: `application/vnd.oasis.opendocument.${type}`,
      "content.xml": `<office:document-content><office:body><office:${type}>${body}</office:${type}></office:body></office:document-content>`,
      "meta.xml":
        "<office:document-meta><office:meta><dc:title>Minutes</dc:title><dc:language>de-DE</dc:language></office:meta></office:document-meta>",
    });

  it("gives headings, lists, spaces and notes of a text", async () => {
    const document = await loadOne(
      "a.odt",
      open(
        "text",
        '<text:tracked-changes><text:p>deleted</text:p></text:tracked-changes><text:h text:outline-level="2">Part</text:h>' +
          '<text:p>One<text:s text:c="2"/>two<text:tab/>three<text:note><text:note-citation>1</text:note-citation><text:note-body><text:p>Below.</text:p></text:note-body></text:note></text:p>' +
          "<text:list><text:list-item><text:p>a</text:p><text:list><text:list-item><text:p>b</text:p></text:list-item></text:list></text:list-item></text:list>",
      ),
    );
    expect(shown(document)).toEqual([
      "heading: Part",
      "paragraph: One  two\tthree[1]",
      "list-item: - a",
      "list-item: - b",
      "paragraph: [1] Below.",
    ]);
    expect(document.language).toBe("de");
  });

  it("gives sheets, with cells that are repeated", async () => {
    const cell = (text: string, times = 1) =>
      `<table:table-cell table:number-columns-repeated="${times}"><text:p>${text}</text:p></table:table-cell>`;
    const document = await loadOne(
      "a.ods",
      open(
        "spreadsheet",
        `<table:table table:name="Data"><table:table-row>${cell("Name")}${cell("Sum")}${cell("Note")}</table:table-row><table:table-row>${cell("x", 2)}${cell("7")}</table:table-row><table:table-row table:number-rows-repeated="1048000"><table:table-cell table:number-columns-repeated="16384"/></table:table-row></table:table>`,
      ),
    );
    expect(shown(document)).toEqual(["heading: Data", "table: Name | Sum | Note\nx | x | 7"]);
    expect(document.format).toBe("ods");
  });

  it("says that it is encrypted", async () => {
    const file = makeZip({
      mimetype: "application/vnd.oasis.opendocument.text",
      "META-INF/manifest.xml":
        "<manifest:manifest><manifest:file-entry><manifest:encryption-data/></manifest:file-entry></manifest:manifest>",
      "content.xml": "garbage",
    });
    await expect(loadOne("a.odt", file)).rejects.toSatisfy((error) => isKonteksError(error, "encrypted"));
  });
});

describe("EPUB", () => {
  it("gives the chapters in reading order, without the page of contents", async () => {
    const page = (body: string) => `<html><body>${body}</body></html>`;
    const document = await loadOne(
      "a.epub",
      makeZip({
        mimetype: "application/epub+zip",
        "META-INF/container.xml":
          '<container><rootfiles><rootfile full-path="OPS/book.opf"/></rootfiles></container>',
        "OPS/book.opf":
          '<package><metadata><dc:title>Short stories</dc:title><dc:creator>Ada</dc:creator><dc:language>en</dc:language></metadata><manifest><item id="b" href="two%20x.xhtml"/><item id="a" href="one.xhtml"/><item id="n" href="nav.xhtml" properties="nav"/></manifest><spine><itemref idref="n"/><itemref idref="a"/><itemref idref="b"/></spine></package>',
        "OPS/one.xhtml": page("<h1>One</h1><p>First.</p>"),
        "OPS/two x.xhtml": page("<h1>Two</h1><p>Second.</p>"),
        "OPS/nav.xhtml": page("<nav>One Two</nav>"),
      }),
    );
    expect(shown(document)).toEqual([
      "heading: One",
      "paragraph: First.",
      "heading: Two",
      "paragraph: Second.",
    ]);
    expect(document).toMatchObject({ title: "Short stories", language: "en", metadata: { author: "Ada" } });
    for (const { start, end, text } of document.outline) expect(document.text.slice(start, end)).toBe(text);
  });
});

describe("RTF", () => {
  it("gives words in their encoding, headings, tables and facts", async () => {
    const document = await loadOne(
      "a.rtf",
      "{\\rtf1\\ansi\\ansicpg1252{\\fonttbl{\\f0 Arial;}}{\\info{\\title Report}{\\author Ada}}{\\*\\generator x;}" +
        "{\\pard\\outlinelevel1 Caf\\'e9\\par}{\\pard Price: 5\\u8364? \\endash  \\{net\\}\\line next{\\pict 89504e47}\\par}" +
        "\\trowd\\intbl A\\cell B\\cell\\row\\intbl c\\cell d\\cell\\row\\pard end\\par}",
    );
    expect(shown(document)).toEqual([
      "heading: Café",
      "paragraph: Price: 5€ – {net}\nnext",
      "table: A | B\nc | d",
      "paragraph: end",
    ]);
    expect(document.metadata).toEqual({ author: "Ada" });
  });

  it("decodes characters of two bytes, and refuses groups without end", async () => {
    expect((await loadOne("a.rtf", "{\\rtf1\\ansicpg932 \\'93\\'fa\\'96\\'7b\\par}")).text).toBe("日本");
    await expect(loadOne("a.rtf", `{\\rtf1 ${"{".repeat(20_000)}`)).rejects.toThrow(/nests/);
  });
});

describe("notebooks", () => {
  it("gives Markdown, code and what it printed, without pictures", async () => {
    const document = await loadOne(
      "a.ipynb",
      JSON.stringify({
        metadata: { kernelspec: { language: "python" } },
        cells: [
          { cell_type: "markdown", source: ["# Title\n", "\n", "- item"] },
          {
            cell_type: "code",
            source: "print(1)",
            outputs: [
              { output_type: "stream", text: ["\u001b[31m1\u001b[0m\n"] },
              {
                output_type: "display_data",
                data: { "image/png": "iVBOR", "text/plain": "<Figure size 1x1>" },
              },
              {
                output_type: "execute_result",
                data: {
                  "text/html": "<table><tr><th>a</th><th>b</th></tr><tr><td>1</td><td>2</td></tr></table>",
                },
              },
              { output_type: "error", ename: "ValueError", evalue: "no" },
            ],
          },
        ],
      }),
    );
    expect(shown(document)).toEqual([
      "heading: # Title",
      "list-item: - item",
      "code: print(1)",
      "code: 1",
      "table: a | b\n1 | 2",
      "code: ValueError: no",
    ]);
    expect(document.title).toBe("Title");
  });
});
