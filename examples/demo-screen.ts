/** How the demo prints: colours and a moving progress line on a terminal, plain lines elsewhere. */
import type pc from "picocolors";
import type { Answer, Citation, Hit, OnProgress, Scores } from "../src/index.ts";

export interface Screen {
  readonly columns: number;
  readonly colors: ReturnType<typeof pc.createColors>;
  /** Whether a line may be rewritten. */
  readonly live: boolean;
  readonly print: (text: string) => void;
}

export function heading(text: string, { colors }: Screen, note?: string): string {
  return `\n${colors.bold(text)}${note === undefined ? "" : colors.dim(`  (${note})`)}`;
}

/** On a terminal one line that moves; elsewhere nothing, since the closing line says it all. */
export function progress({ live, columns }: Screen): OnProgress {
  return (event) => {
    if (!live) return;
    if (event.type === "end") process.stdout.write("\r\x1b[2K");
    if (event.type !== "document") return;
    const { done, documents, id } = event;
    const filled = Math.round((done / documents) * 20);
    const bar = `${"█".repeat(filled)}${"░".repeat(20 - filled)} ${done}/${documents} ${id}`;
    process.stdout.write(`\r\x1b[2K${bar.slice(0, columns - 1)}`);
  };
}

export function hitLine(hit: Hit, screen: Screen): string {
  const { bold, dim } = screen.colors;
  const line = `${bold(`${hit.rank}.`)} ${place(hit)}  ${dim(scoresOf(hit.scores))}`;
  return `${line}\n${wrap(excerpt(hit.text, screen.columns - 4), screen, 3)}`;
}

export function answerOf(answer: Answer, screen: Screen): string {
  const { bold, dim, yellow } = screen.colors;
  if (answer.kind === "none") return yellow(["Nothing found.", ...answer.notes].join(" "));
  const label = answer.kind === "extract" ? "Extract" : "Answer";
  const cited = answer.citations.map((citation) => citationLine(citation, screen));
  return [bold(`${label}:`), wrap(answer.text, screen, 2), dim("Sources:"), ...cited].join("\n");
}

function citationLine(citation: Citation, screen: Screen): string {
  const mark = citation.verified ? screen.colors.green("✓") : screen.colors.red("not found in the source");
  return `  [${citation.number}] ${place(citation)} ${mark}\n${wrap(`“${flat(citation.quote)}”`, screen, 6)}`;
}

function place({ documentId, headings, lines }: Pick<Hit, "documentId" | "headings" | "lines">): string {
  const under = headings.length === 0 ? "" : ` › ${headings.slice(-2).join(" › ")}`;
  return `${documentId}${under}, line ${lines[0]}`;
}

function scoresOf(scores: Scores): string {
  return Object.entries(scores)
    .map(([kind, score]) => `${kind} ${kind === "rrf" ? score.toFixed(4) : score.toFixed(2)}`)
    .join("  ");
}

function excerpt(text: string, length: number): string {
  const line = flat(text);
  return line.length <= length ? line : `${line.slice(0, length - 1)}…`;
}

function flat(text: string): string {
  return text.replace(/\s+/g, " ").trim();
}

/** Breaks at white space; a word longer than the line stays whole. */
export function wrap(text: string, { columns }: Screen, indent: number): string {
  const pad = " ".repeat(indent);
  const lines = text.split("\n").flatMap((paragraph) => wrapParagraph(paragraph, columns - indent));
  return lines.map((line) => `${pad}${line}`).join("\n");
}

function wrapParagraph(text: string, width: number): string[] {
  const lines: string[] = [];
  let line = "";
  for (const word of text.split(/\s+/)) {
    if (line !== "" && line.length + 1 + word.length > width) {
      lines.push(line);
      line = word;
    } else {
      line = line === "" ? word : `${line} ${word}`;
    }
  }
  return [...lines, line];
}
