import type { Block, Heading, Span } from "../../spec/index.ts";

/** A text with its structure, to be put behind others. */
export interface Section {
  readonly text: string;
  readonly blocks: readonly Block[];
  readonly outline: readonly Heading[];
}

/** Texts one after the other with a blank line between, and their structure at its new place. */
export function assemble(sections: readonly Section[]): Section & { readonly starts: readonly number[] } {
  const texts: string[] = [];
  const blocks: Block[] = [];
  const outline: Heading[] = [];
  const starts: number[] = [];
  let at = 0;
  for (const section of sections) {
    starts.push(at);
    for (const block of section.blocks) blocks.push(moved(block, at));
    for (const heading of section.outline) outline.push(shifted(heading, at));
    texts.push(section.text);
    at += section.text.length + 2;
  }
  return { text: texts.join("\n\n"), blocks, outline, starts };
}

function moved(block: Block, by: number): Block {
  const { header, parts, ...rest } = block;
  return {
    ...shifted(rest, by),
    ...(header && { header: shifted(header, by) }),
    ...(parts && { parts: parts.map((part) => shifted(part, by)) }),
  };
}

function shifted<T extends Span>(span: T, by: number): T {
  return { ...span, start: span.start + by, end: span.end + by };
}
