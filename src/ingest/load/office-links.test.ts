import { describe, expect, it } from "vitest";
import { loadOne, shown } from "./load-one.fixture.ts";
import { makeDocx, makeOffice, makeZip } from "./make-files.fixture.ts";
import { parseXml, pathInside, textIn } from "./xml.ts";

/** People type anything as a link, and programs write it down as it is. */
const LINKS = [
  "https://example.org/100%",
  "http://[draft",
  "http://",
  "file:///C:\\plan%zz.docx",
  "%",
  "NULL",
];

describe.each(LINKS)("a document that links to %j is read all the same:", (link) => {
  it("Word", async () => {
    const rels = `<Relationships><Relationship Id="r9" Type="http://x/hyperlink" Target="${link}" TargetMode="External"/></Relationships>`;
    const body = "<w:p><w:r><w:t>Ninety days.</w:t></w:r></w:p>";
    const document = await loadOne("a.docx", makeDocx(body, { "word/_rels/document.xml.rels": rels }));
    expect(shown(document)).toEqual(["paragraph: Ninety days."]);
  });

  it("Excel", async () => {
    const sheet = `<worksheet><sheetData><row r="1"><c r="A1" t="inlineStr"><is><t>Ninety</t></is></c></row></sheetData></worksheet>`;
    const bytes = makeOffice(
      {
        "xl/workbook.xml": '<workbook><sheets><sheet name="Costs" r:id="r1"/></sheets></workbook>',
        "xl/worksheets/sheet1.xml": sheet,
      },
      {
        "xl/workbook.xml": { r1: ["worksheet", "worksheets/sheet1.xml"] },
        "xl/worksheets/sheet1.xml": { r9: ["hyperlink", link] },
      },
    );
    expect(shown(await loadOne("a.xlsx", bytes))).toEqual(["heading: Costs", "paragraph: Ninety"]);
  });

  it("PowerPoint", async () => {
    const shape = "<p:sp><p:txBody><a:p><a:r><a:t>Ninety days.</a:t></a:r></a:p></p:txBody></p:sp>";
    const bytes = makeOffice(
      {
        "ppt/presentation.xml":
          '<p:presentation><p:sldIdLst><p:sldId r:id="r1"/></p:sldIdLst></p:presentation>',
        "ppt/slides/slide1.xml": `<p:sld><p:cSld><p:spTree>${shape}</p:spTree></p:cSld></p:sld>`,
      },
      {
        "ppt/presentation.xml": { r1: ["slide", "slides/slide1.xml"] },
        "ppt/slides/slide1.xml": { r9: ["hyperlink", link] },
      },
    );
    expect(shown(await loadOne("a.pptx", bytes))).toEqual(["heading: Slide 1", "paragraph: Ninety days."]);
  });

  it("a book, which names the chapter that is missing", async () => {
    const bytes = makeZip({
      mimetype: "application/epub+zip",
      "META-INF/container.xml":
        '<container><rootfiles><rootfile full-path="b/a.opf"/></rootfiles></container>',
      "b/a.opf": `<package><manifest><item id="1" href="${link}"/><item id="2" href="c.xhtml"/></manifest><spine><itemref idref="1"/><itemref idref="2"/></spine></package>`,
      "b/c.xhtml": "<html><body><p>Ninety days.</p></body></html>",
    });
    const document = await loadOne("a.epub", bytes);
    expect(shown(document)).toEqual(["paragraph: Ninety days."]);
  });
});

describe("pathInside", () => {
  it("follows references inside of the file, and no other", () => {
    expect(pathInside("xl/worksheets/", "../comments%201.xml")).toBe("xl/comments 1.xml");
    expect(pathInside("xl/", "/docProps/core.xml")).toBe("docProps/core.xml");
    expect(pathInside("a#b/", "100%.xml")).toBe("a#b/100%.xml");
    expect(pathInside("xl/", "https://example.org/xl/workbook.xml")).toBeUndefined();
    expect(pathInside("xl/", "http://[draft")).toBeUndefined();
  });
});

it("gives the text of an element with more children than a call takes arguments", async () => {
  const root = await parseXml(`<a>${"<b>x</b>".repeat(200_000)}</a>`);
  expect(textIn(root)).toHaveLength(200_000);
});
