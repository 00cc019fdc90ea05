/** Where the demo prints: colours and a moving progress line on a terminal, plain lines elsewhere. */
import pc from "picocolors";
import type { View } from "../src/cli/io.ts";
import { truncate, wrap } from "../src/cli/print/layout.ts";
import type { OnProgress } from "../src/index.ts";

export interface Screen extends View {
  /** Whether a line may be rewritten. */
  readonly live: boolean;
  readonly print: (text: string) => void;
}

const MAX_COLUMNS = 110;

/** @param cwd paths below it are shown relative to it */
export function openScreen(cwd: string, silent: boolean): Screen {
  const { stdout } = process;
  const live = Boolean(stdout.isTTY) && !silent;
  stdout.on("error", () => {}); // `npm run demo | head` closes the pipe; the demo still ends and cleans up
  return {
    paint: pc.createColors(live && !process.env.NO_COLOR),
    columns: Math.min(stdout.columns || 100, MAX_COLUMNS),
    cwd,
    live,
    print: silent ? () => {} : (text) => stdout.write(`${text}\n`),
  };
}

export function heading(text: string, { paint, columns }: Screen, note?: string): string {
  const rule = paint.dim("─".repeat(Math.min(columns, 80)));
  return `\n${rule}\n${paint.bold(text)}${note === undefined ? "" : paint.dim(`  (${note})`)}\n`;
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
    process.stdout.write(`\r\x1b[2K${truncate(bar, columns - 1)}`);
  };
}

export function indented(text: string, { columns }: Screen, indent: number): string {
  return wrap(text, columns - indent)
    .map((line) => " ".repeat(indent) + line)
    .join("\n");
}
