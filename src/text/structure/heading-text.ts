import { inlineTokens, type Token } from "./markdown-parser.ts";

const MARKUP = /[*_`[\]<>&\\~!{}]/;
const ANCHORS = /\s*(?:\{\/\*.*?\*\/\}|\{#[^{}]*\})\s*$/;
const REFERENCE = /!?\[([^[\]]*)\]\s?\[[^[\]]*\]/g;

/** Pictures that are links or drawn by a service: badges. */
const BADGE =
  /\[!\[[^[\]]*\]\s?(?:\[[^[\]]*\]|\([^()]*\))\](?:\[[^[\]]*\]|\([^()]*\))|!\[[^[\]]*\]\([^()]*(?:badge|shields\.io|\.svg)[^()]*\)/g;

/** Plain words of a heading's Markdown: no markup, no `{#anchor}`, no badges where there are words beside them. */
export function headingText(markdown: string): string {
  const whole = markdown.replace(/\s+/g, " ").trim();
  const seen = whole.replace(BADGE, "").trim();
  const line = /\p{L}/u.test(seen) ? seen : whole;
  if (!MARKUP.test(line)) return line;
  const bare = line.replace(ANCHORS, "").replace(REFERENCE, "$1");
  return MARKUP.test(bare) ? words(inlineTokens(bare)).replace(/\s+/g, " ").trim() : bare;
}

function words(tokens: readonly Token[]): string {
  return tokens.map(wordsOf).join("");
}

function wordsOf({ type, content, children }: Token): string {
  if (type === "image") return words(children ?? []);
  if (type === "softbreak" || type === "hardbreak") return " ";
  return type === "html_inline" ? "" : content;
}
