/**
 * Puts text of a document between tags of a prompt so that it cannot end them (invariant I10): every `<` that opens
 * something a reader could take for one of the prompt's own tags is written `&lt;`. All else stays byte for byte.
 */
export function fence(tag: string, text: string, attributes: Attributes = {}): string {
  return wrap(tag, neutralise(text), attributes);
}

/** Puts what is fenced already between tags. */
export function wrap(tag: string, fenced: string, attributes: Attributes = {}): string {
  const written = Object.entries(attributes).map(([name, value]) => ` ${name}="${attributeValue(value)}"`);
  return [`<${tag}${written.join("")}>`, fenced, `</${tag}>`].join("\n");
}

type Attributes = Readonly<Record<string, string>>;

/** Tags that konteks's prompts use; text of documents holds none of them. */
const ownTags = [
  "document",
  "chunk",
  "sources",
  "source",
  "orientation",
  "text",
  "question",
  "quotes",
  "instructions",
  "glossary",
  "outline",
  "dokumen",
  "potongan",
];

// Signs that do not show, which a tag may be spelt with and still be read as one.
const invisible = "[\\u00ad\\u200b-\\u200f\\u2060-\\u2064\\ufeff]*";
const own = patternOf(ownTags);

/** `more`: tags of a prompt that the user wrote. */
export function neutralise(text: string, more: readonly string[] = []): string {
  return text.replace(more.length === 0 ? own : patternOf([...ownTags, ...more]), () => "&lt;");
}

function patternOf(tags: readonly string[]): RegExp {
  const spelt = tags.map((tag) => [...tag].map(escaped).join(invisible)).join("|");
  return new RegExp(
    `[<＜﹤](?=[\\s/\\\\／\\u00ad\\u200b-\\u200f\\u2060-\\u2064\\ufeff]*(?:${spelt})(?![a-z0-9_]))`,
    "giu",
  );
}

function escaped(sign: string): string {
  return /[a-z0-9_]/i.test(sign) ? sign : `\\u{${(sign.codePointAt(0) ?? 0).toString(16)}}`;
}

function attributeValue(value: string): string {
  return neutralise(value)
    .replace(/[\r\n\t]+/g, () => " ")
    .replace(/"/g, () => "&quot;")
    .replace(/[<>]/g, (sign) => (sign === "<" ? "&lt;" : "&gt;"));
}
