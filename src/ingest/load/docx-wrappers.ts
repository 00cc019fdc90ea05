/** Shapes of the older drawing language that may hold text, as the library knows one of them. */
const shapes = /(<\/?v:)(?:oval|line|polyline|curve|arc|image)\b/g;
/** What stands around text and says nothing of it: results of fields, runs with a direction of their own. */
const around = /<\/?w:(?:fldSimple|dir|bdo)\b[^>]*>/g;
/** The reading of a word that is set above it, and the rules of both. */
const reading =
  /<w:rubyPr\b[^>]*(?:\/>|>[\s\S]*?<\/w:rubyPr>)|<w:rt>[\s\S]*?<\/w:rt>|<\/?w:ruby(?:Base)?\b[^>]*>/g;
const alternatives = /<mc:AlternateContent\b[^>]*>[\s\S]*?<\/mc:AlternateContent>/g;
const textOfBox = /<w:txbxContent\b[^>]*>[\s\S]*?<\/w:txbxContent>/g;

/**
 * A part of a Word document in which the library finds all text: it leaves out what stands in elements that it does not
 * know (results of fields as dates and numbers of captions, words with their reading above, text in ellipses), and takes a
 * picture for a text box where there is one.
 */
export function withoutWrappers(xml: string): string {
  return xml
    .replace(alternatives, boxOf)
    .replace(shapes, "$1shape")
    .replace(around, "")
    .replace(reading, "")
    .replace(/<w:cr\b[^>]*\/>/g, "<w:br/>")
    .replace(/<w:ptab\b[^>]*\/>/g, "<w:tab/>");
}

/** The library reads the second form of a drawing, which programs other than Word give as a picture. */
function boxOf(drawing: string): string {
  const [first = "", second = ""] = drawing.split("<mc:Fallback");
  if (second.includes("<w:txbxContent")) return drawing;
  const boxes = first.match(textOfBox);
  if (boxes === null) return drawing;
  const shapes = boxes.map((box) => `<v:shape><v:textbox>${box}</v:textbox></v:shape>`);
  return `<w:pict xmlns:v="urn:schemas-microsoft-com:vml">${shapes.join("")}</w:pict>`;
}
