import type { Block, Heading } from "../../spec/index.ts";
import { CONTAINERS, definitionOn } from "./code-definitions.ts";
import { CONTINUES, type Definition, layOutCode, leadingStart } from "./code-layout.ts";
import type { CodeLine } from "./code-lines.ts";

/**
 * Blocks of source code: definitions (with their comments and decorators) and what stands between them. Told by
 * indentation and by how definitions begin in the usual languages, so it needs no grammar and no correct file.
 */
export function readCode(text: string, path?: string): { blocks: Block[]; outline: Heading[] } {
  return layOutCode(text, path, (lines) => definitionsIn(lines, 0, lines.length));
}

/** The definitions that begin on the lines `[from, to)`. */
function definitionsIn(lines: readonly CodeLine[], from: number, to: number): Definition[] {
  const found: Definition[] = [];
  let open = from;
  let at = from;
  while (at < to) {
    const begun = definitionAt(lines, at, to);
    if (!begun) {
      at++;
      continue;
    }
    const end = definitionEnd(lines, at, to);
    const inner = CONTAINERS.has(begun.kind) ? definitionsIn(lines, at + 1, end) : [];
    found.push({ name: begun.name, start: Math.max(open, leadingStart(lines, at)), line: at, end, inner });
    open = end;
    at = end;
  }
  return found;
}

function definitionAt(
  lines: readonly CodeLine[],
  at: number,
  to: number,
): { kind: string; name: string } | undefined {
  const line = lines[at];
  if (!line || line.blank || line.inside || line.indent > 40) return undefined;
  return definitionOn(line.code, () => opensBody(lines, at, to));
}

/** Whether the parameter list that begins on line `at` is followed by a body rather than by the end of a call. */
function opensBody(lines: readonly CodeLine[], at: number, to: number): boolean {
  const indent = lines[at]?.indent ?? 0;
  for (let next = at + 1; next < Math.min(to, at + 40); next++) {
    const line = lines[next];
    if (!line || line.blank || line.indent > indent) continue;
    return (
      line.indent === indent &&
      (/^\{/.test(line.code) || /^\).*[{:]\s*$/.test(line.code)) &&
      !line.code.includes("=>")
    );
  }
  return false;
}

/** A definition runs to the next line that is indented no deeper and does not close or continue it. */
function definitionEnd(lines: readonly CodeLine[], at: number, limit: number): number {
  const indent = lines[at]?.indent ?? 0;
  let end = at + 1;
  for (let next = at + 1; next < limit; next++) {
    const line = lines[next];
    if (!line || line.blank) continue;
    if (!line.inside && line.indent <= indent && !(line.indent === indent && CONTINUES.test(line.code)))
      break;
    end = next + 1;
  }
  return end;
}
