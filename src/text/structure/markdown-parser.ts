import type { MarkdownIt, StateBlock, Token } from "markdown-it";
import { lazyLibrary } from "../../util/lazy.ts";
import { footnoteRule } from "./markdown-footnote.ts";

const library = lazyLibrary<typeof import("markdown-it").default>("markdown-it");

/** What is nested deeper than this is read as the text of what holds it. */
const DEEPEST = 100;

let parser: MarkdownIt | undefined;

function markdownParser(): MarkdownIt {
  if (parser) return parser;
  parser = library()("commonmark", { maxNesting: DEEPEST }).enable("table");
  parser.block.ruler.before("reference", "footnote", footnoteRule, {
    alt: ["paragraph", "reference", "blockquote", "list"],
  });
  return parser;
}

/** The blocks of Markdown, with the lines they stand in; what is written inside of a line is not read. */
export function blockTokens(text: string): readonly Token[] {
  const md = markdownParser();
  const tokens: Token[] = [];
  md.block.parse(text, md, {}, tokens);
  return tokens;
}

/** What is written in one line of Markdown. */
export function inlineTokens(line: string): readonly Token[] {
  return markdownParser().parseInline(line, {})[0]?.children ?? [];
}

export type { StateBlock, Token };
