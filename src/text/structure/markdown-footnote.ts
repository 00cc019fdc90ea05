import type { StateBlock } from "markdown-it";

const LABEL = /\[\^[^\s[\]]{1,999}\]:/y;
/** How far the further paragraphs of a footnote are indented. */
const INDENT = 4;

/**
 * A rule for markdown-it: the definition of a footnote as GitHub reads it, `[^1]: Text`, with the lines that go on and the
 * indented paragraphs below. The parser itself knows none.
 */
export function footnoteRule(state: StateBlock, start: number, end: number, silent: boolean): boolean {
  if (!beginsAt(state, start)) return false;
  if (silent) return true;
  let last = start + 1;
  for (let line = start + 1; line < end; line++) {
    if (state.isEmpty(line)) continue;
    const goesOn = line === last && !isEnded(state, line, end);
    if (!goesOn && indentOf(state, line) < INDENT) break;
    last = line + 1;
  }
  const token = state.push("footnote", "", 0);
  token.map = [start, last];
  state.line = last;
  return true;
}

function beginsAt(state: StateBlock, line: number): boolean {
  const { bMarks, tShift, src } = state;
  if (indentOf(state, line) >= INDENT) return false;
  LABEL.lastIndex = (bMarks[line] ?? 0) + (tShift[line] ?? 0);
  return LABEL.test(src);
}

function indentOf(state: StateBlock, line: number): number {
  return (state.sCount[line] ?? 0) - state.blkIndent;
}

/** Whether something begins on a line that ends a paragraph. */
function isEnded(state: StateBlock, line: number, end: number): boolean {
  return state.md.block.ruler.getRules("paragraph").some((rule) => rule(state, line, end, true));
}
