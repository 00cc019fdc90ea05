import type { Metadata } from "../../spec/index.ts";

/** Most links and tags that are kept of one note; an index of a vault links to everything. */
const most = 200;

/**
 * What vaults of notes write into their Markdown: `[[Target|words]]` becomes `links`, `#tag` joins `tags`. Nothing is
 * said twice, code is left out, and the text stays as it is.
 */
export function noteMetadata(text: string, metadata: Metadata): Metadata {
  if (!text.includes("[[") && !/(^|\s)#[\p{L}]/u.test(text)) return metadata;
  const prose = text.replace(/^(```|~~~)[^\n]*\n[\s\S]*?^\1[^\n]*$|`[^`\n]*`/gm, " ");
  const links = found(prose, /!?\[\[([^[\]|#\n]{1,200})(?:#[^[\]|\n]*)?(?:\|[^[\]\n]*)?\]\]/g);
  const written = found(prose, /(?<=^|\s)#(\p{L}[\p{L}\p{N}_/-]{0,60})(?![\p{L}\p{N}_#(])/gmu);
  const tags = [...new Set([...tagsOf(metadata.tags ?? metadata.tag), ...written])].slice(0, most);
  return {
    ...metadata,
    ...(links.length > 0 && metadata.links === undefined && { links }),
    // Without links a "#word" is no vault's tag but an issue, a channel or a heading without its space.
    ...(tags.length > 0 && (links.length > 0 || metadata.tags !== undefined) && { tags }),
  };
}

function found(text: string, pattern: RegExp): string[] {
  const names = new Set<string>();
  for (const [, name = ""] of text.matchAll(pattern)) {
    if (names.size === most) break;
    if (name.trim() !== "") names.add(name.trim());
  }
  return [...names];
}

function tagsOf(value: Metadata[string] | undefined): readonly string[] {
  if (typeof value === "string") return value.split(/[,\s]+/).filter((tag) => tag !== "");
  return Array.isArray(value) ? value.map(String) : [];
}
