import { expect, it } from "vitest";
import { isKonteksError } from "../../spec/index.ts";
import { loadDocx } from "./docx.ts";
import { makeDocx } from "./make-files.fixture.ts";

const file = { path: "/docs/a.docx", id: "a.docx", size: 0 };
const paragraph = (text: string, style = "") =>
  `<w:p>${style === "" ? "" : `<w:pPr><w:pStyle w:val="${style}"/></w:pPr>`}<w:r><w:t xml:space="preserve">${text}</w:t></w:r></w:p>`;
const cell = (text: string) => `<w:tc>${paragraph(text)}</w:tc>`;
const row = (...texts: string[]) => `<w:tr>${texts.map(cell).join("")}</w:tr>`;

const styles = `<w:styles xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main">
  <w:style w:type="paragraph" w:styleId="Title"><w:name w:val="Title"/></w:style>
  <w:style w:type="paragraph" w:styleId="H2"><w:name w:val="heading 2"/></w:style></w:styles>`;
const relations = `<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">
  <Relationship Id="r1" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/styles" Target="styles.xml"/>
  <Relationship Id="r2" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/footnotes" Target="footnotes.xml"/></Relationships>`;
const footnotes = `<w:footnotes xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main">
  <w:footnote w:id="7">${paragraph("As audited.")}</w:footnote></w:footnotes>`;

it("reads what stands in fields, in words with a reading above, in text boxes and ellipses", async () => {
  const v = 'xmlns:v="urn:schemas-microsoft-com:vml"';
  const mc = 'xmlns:mc="http://schemas.openxmlformats.org/markup-compatibility/2006"';
  const box = (text: string) => `<w:txbxContent>${paragraph(text)}</w:txbxContent>`;
  const picture = `<mc:Fallback><w:drawing/></mc:Fallback>`;
  const body =
    '<w:p><w:r><w:t xml:space="preserve">Table </w:t></w:r><w:fldSimple w:instr="SEQ Table"><w:r><w:t>7</w:t></w:r></w:fldSimple></w:p>' +
    "<w:p><w:r><w:ruby><w:rubyPr/><w:rt><w:r><w:t>とうきょう</w:t></w:r></w:rt><w:rubyBase><w:r><w:t>東京</w:t></w:r></w:rubyBase></w:ruby></w:r></w:p>" +
    `<w:p><w:r><mc:AlternateContent ${mc}><mc:Choice Requires="wps"><w:drawing>${box("In a box")}</w:drawing></mc:Choice>${picture}</mc:AlternateContent></w:r></w:p>` +
    `<w:p><w:r><w:pict><v:oval ${v}><v:textbox>${box("In an ellipse")}</v:textbox></v:oval></w:pict></w:r></w:p>` +
    '<w:p><w:dir w:val="rtl"><w:r><w:t>עברית</w:t></w:r></w:dir></w:p>';
  const { text } = await loadDocx(makeDocx(body), file);
  expect(text).toBe("Table 7\n\n東京\n\nIn a box\n\nIn an ellipse\n\nעברית");
});

it("reads headings, paragraphs, tables and footnotes, with tabs and no-break hyphens", async () => {
  const body =
    paragraph("Annual Report", "Title") +
    paragraph("Results", "H2") +
    "<w:p><w:r><w:t>Revenue</w:t><w:tab/><w:t>2025</w:t><w:noBreakHyphen/><w:t>26 grew.</w:t></w:r><w:r><w:footnoteReference w:id='7'/></w:r></w:p>" +
    `<w:tbl>${row("City", "Units")}${row("Bonn", "12")}${row("Ulm", "7")}</w:tbl>`;
  const { text, outline, blocks } = await loadDocx(
    makeDocx(body, {
      "word/styles.xml": styles,
      "word/_rels/document.xml.rels": relations,
      "word/footnotes.xml": footnotes,
    }),
    file,
  );
  expect(outline.map(({ level, text }) => [level, text])).toEqual([
    [1, "Annual Report"],
    [2, "Results"],
  ]);
  expect(text).toContain("Revenue 2025\u201126 grew.[1]");
  expect(text).toContain("City | Units\nBonn | 12\nUlm | 7");
  expect(text).toMatch(/1\. As audited\.$/);
  for (const block of blocks)
    expect(text.slice(block.start, block.end)).toBe(text.slice(block.start, block.end).trim());
});

it("keeps headers and footers out of chunks, and gives what the file says of itself", async () => {
  const word = 'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"';
  const document = await loadDocx(
    makeDocx(paragraph("Body."), {
      "word/header1.xml": `<w:hdr ${word}>${paragraph("Secret draft")}</w:hdr>`,
      "word/footer1.xml": `<w:ftr ${word}>${paragraph("Secret draft")}${paragraph("ACME")}</w:ftr>`,
      "docProps/core.xml":
        "<cp:coreProperties><dc:title>Plan</dc:title><dc:creator>Ada</dc:creator><dcterms:created>2024-05-06T07:08:09Z</dcterms:created></cp:coreProperties>",
    }),
    file,
  );
  expect(document.text).toBe("Body.\n\nSecret draft\nACME");
  expect(document.blocks.map(({ kind }) => kind)).toEqual(["paragraph", "metadata"]);
  expect(document).toMatchObject({ title: "Plan", metadata: { author: "Ada", date: "2024-05-06" } });
});

it("names a damaged file", async () => {
  const bytes = makeDocx(paragraph("x"));
  const error = await loadDocx(bytes.subarray(0, bytes.length - 30), file).catch((thrown: unknown) => thrown);
  expect(isKonteksError(error, "unreadable")).toBe(true);
  expect(String(error)).toContain('"a.docx"');
});

it("refuses an archive that unpacks to another size than it states", async () => {
  const bytes = Buffer.from(makeDocx(paragraph("x")));
  bytes.writeUInt32LE(0xfffffff0, bytes.indexOf(Buffer.from([0x50, 0x4b, 1, 2])) + 24);
  await expect(loadDocx(bytes, file)).rejects.toThrow(/"a\.docx" is damaged.*mismatch/);
});

it("writes formulas on one line of the text", async () => {
  const run = (text: string) => `<m:r><m:t>${text}</m:t></m:r>`;
  const power = `<m:sSup><m:e>${run("x")}</m:e><m:sup>${run("2")}</m:sup></m:sSup>`;
  const fraction = `<m:f><m:num>${power}${run("+1")}</m:num><m:den>${run("2a")}</m:den></m:f>`;
  const root = `<m:rad><m:radPr><m:degHide m:val="1"/></m:radPr><m:deg/><m:e>${run("a&lt;b")}</m:e></m:rad>`;
  const body =
    `<w:p><w:r><w:t xml:space="preserve">Let </w:t></w:r><m:oMath xmlns:m="m">${run("y=")}${fraction}</m:oMath></w:p>` +
    `<w:p><m:oMathPara xmlns:m="m"><m:oMathParaPr><m:jc m:val="center"/></m:oMathParaPr><m:oMath>${root}</m:oMath></m:oMathPara></w:p>`;
  const { text } = await loadDocx(makeDocx(body), file);
  expect(text).toBe("Let y=(x^2+1)/2a\n\n√(a<b)");
});

it("is called by what its cover sets largest, where no style names a title", async () => {
  const large = (text: string, size: number) =>
    `<w:p><w:r><w:rPr><w:sz w:val="${size}"/></w:rPr><w:t>${text}</w:t></w:r></w:p>`;
  const body = `${large("Department of Trees", 24)}${large("Handbook for", 72)}${large("Foresters &amp; others", 72)}${large("May 2024", 24)}${paragraph("Text.")}`;
  expect((await loadDocx(makeDocx(body), file)).cover).toBe("Handbook for Foresters & others");
  expect((await loadDocx(makeDocx(large("All of one size", 72)), file)).cover).toBeUndefined();
});
