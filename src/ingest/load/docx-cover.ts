/** Letters at the head of the file among which the cover is looked for. */
const head = 200_000;
const mostParagraphs = 60;
/** Half points: what is set smaller is no cover. */
const leastSize = 32;

/**
 * The words that are set largest on the first page, above the first heading: people write covers by hand, without the
 * style for titles. Undefined when nothing stands out.
 */
export function coverOf(xml: string): string | undefined {
  const paragraphs =
    xml
      .slice(0, head)
      .match(/<w:p[ >].*?<\/w:p>/gs)
      ?.slice(0, mostParagraphs) ?? [];
  const end = paragraphs.findIndex((paragraph) =>
    /<w:pStyle w:val="(?:heading|TOC|berschrift|Titre)/i.test(paragraph),
  );
  const lines = (end < 0 ? paragraphs : paragraphs.slice(0, end))
    .map(lineOf)
    .filter(({ text }) => text !== "");
  const size = Math.max(0, ...lines.map((line) => line.size));
  const first = lines.findIndex((line) => line.size === size);
  const rest = lines.slice(first);
  const after = rest.findIndex((line) => line.size !== size);
  const cover = after < 0 ? rest : rest.slice(0, after);
  const text = cover.map((line) => line.text).join(" ");
  return size >= leastSize && cover.length < lines.length && text.length <= 200 ? text : undefined;
}

function lineOf(paragraph: string): { text: string; size: number } {
  const runs = (paragraph.match(/<w:r[ >].*?<\/w:r>/gs) ?? []).map((run) => ({
    text: Array.from(run.matchAll(/<w:t(?: [^>]*)?>([^<]*)</g), ([, text = ""]) => text).join(""),
    size: Number(/<w:sz w:val="(\d+)"/.exec(run)?.[1] ?? 0),
  }));
  const filled = runs.filter(({ text }) => text.trim() !== "");
  const text = filled
    .map((run) => run.text)
    .join("")
    .replace(/\s+/g, " ")
    .trim();
  return { text: unescaped(text), size: Math.max(0, ...filled.map(({ size }) => size)) };
}

function unescaped(text: string): string {
  return text
    .replace(/&lt;/g, "<")
    .replace(/&gt;/g, ">")
    .replace(/&quot;/g, '"')
    .replace(/&apos;/g, "'")
    .replace(/&amp;/g, "&");
}
