/** A fenced block of code in a page. */
export interface CodeBlock {
  readonly language: string;
  readonly code: string;
  /** Line of the opening fence, from 1. */
  readonly line: number;
  /** The reason in a `<!-- not run: … -->` on the line above, if there is one. */
  readonly notRun?: string;
}

const NOT_RUN = /^<!-- not run: (.+) -->$/;

/** Fences that begin at the start of a line. */
export function codeBlocks(page: string): CodeBlock[] {
  const lines = page.split("\n");
  const blocks: CodeBlock[] = [];
  for (let i = 0; i < lines.length; i++) {
    const language = /^```(\w+)/.exec(lines[i] ?? "")?.[1];
    if (language === undefined) continue;
    const end = lines.indexOf("```", i + 1);
    if (end === -1) throw new Error(`The fence in line ${i + 1} is not closed`);
    const above = lines.slice(0, i).findLast((line) => line.trim() !== "") ?? "";
    const notRun = NOT_RUN.exec(above)?.[1];
    const code = lines.slice(i + 1, end).join("\n");
    blocks.push({ language, code, line: i + 1, ...(notRun !== undefined && { notRun }) });
    i = end;
  }
  return blocks;
}
