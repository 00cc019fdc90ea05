/** A line of source code, as far as its shape goes. */
export interface CodeLine {
  readonly start: number;
  /** Columns in front of the first character; a tab counts as four. */
  readonly indent: number;
  readonly blank: boolean;
  /** The line without its outer blank space. */
  readonly code: string;
  /** Set when the line begins inside a comment or string that was opened above. */
  readonly inside?: "comment" | "string";
}

const HASH_COMMENTS = /\.(?:py|pyi|rb|sh|bash|zsh|pl|r|jl|ex|exs|php|yaml|yml|toml|nix|tcl)$/i;
const NO_BACKTICKS = /\.(?:py|pyi|rb|sh|bash|zsh|rs|c|h|cc|cpp|hpp|cs|java|php|pl|lua|swift)$/i;

/** What begins like this at the very left is code, even where a mark further up was never closed. */
const SURELY_CODE =
  /^(?:(?:export|default|public|async|abstract|static|pub|final)\s+)*(?:function|class|interface|enum|struct|trait|impl|def|fn|func|namespace)\b[^"'`]*[{:(]/;

/** Splits source code into lines and says which begin inside a comment or a string of several lines. */
export function readCodeLines(text: string, starts: Uint32Array, path = ""): CodeLine[] {
  const scan = scanner(path);
  let open: string | undefined;
  return Array.from(starts, (start, index): CodeLine => {
    const line = text.slice(start, starts[index + 1] ?? text.length);
    const code = line.trim();
    if (open !== undefined && SURELY_CODE.test(line)) open = undefined;
    const inside =
      open === undefined ? {} : { inside: open === "*/" ? ("comment" as const) : ("string" as const) };
    open = scan(line, open);
    return { start, indent: indentOf(line), blank: code === "", code, ...inside };
  });
}

function indentOf(line: string): number {
  let columns = 0;
  for (let at = 0; at < line.length; at++) {
    const character = line[at];
    if (character === " ") columns++;
    else if (character === "\t") columns += 4;
    else break;
  }
  return columns;
}

/** Gives, for a line and what was open in front of it, what is open behind it (named by its closing mark). */
function scanner(path: string): (line: string, open: string | undefined) => string | undefined {
  const hash = HASH_COMMENTS.test(path) ? "|#" : "";
  const backtick = NO_BACKTICKS.test(path) ? "" : "|`";
  const slashes = /\.pyi?$|\.rb$|\.sh$/i.test(path) ? "" : "|//|/\\*";
  const marks = `"(?:[^"\\\\\\n]|\\\\.)*"|'(?:[^'\\\\\\n]|\\\\.)*'`;
  const next = new RegExp(`"""|'''|${marks}${hash}${backtick}${slashes}`, "g");
  return (line, before) => {
    let open = before;
    let at = 0;
    for (;;) {
      if (open !== undefined) {
        const close = closing(line, open, at);
        if (close < 0) return open;
        at = close + open.length;
        open = undefined;
      }
      next.lastIndex = at;
      const found = next.exec(line);
      if (!found) return undefined;
      at = next.lastIndex;
      if (found[0] === "//" || found[0] === "#") return undefined;
      if (found[0] === "/*") open = "*/";
      else if (found[0] === "`" || found[0].length === 3) open = opener(found[0]);
    }
  };
}

/** Three characters may be a triple quote or a string of one character. */
function opener(mark: string): string | undefined {
  return mark === "`" || mark === '"""' || mark === "'''" ? mark : undefined;
}

function closing(line: string, mark: string, from: number): number {
  let at = line.indexOf(mark, from);
  while (at > 0 && mark === "`" && line[at - 1] === "\\") at = line.indexOf(mark, at + 1);
  return at;
}
