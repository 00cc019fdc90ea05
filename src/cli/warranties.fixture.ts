import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { PassThrough } from "node:stream";
import { afterEach, beforeEach } from "vitest";
import { main } from "./main.ts";

/** A folder of six documents for each test of a file that imports this. */
let cwd: string;
beforeEach(() => {
  cwd = mkdtempSync(join(tmpdir(), "konteks-eval-cli-"));
  mkdirSync(join(cwd, "docs"));
  for (const name of NAMES) writeFileSync(join(cwd, "docs", `${name}.md`), text(name));
});
afterEach(() => rmSync(cwd, { recursive: true, force: true }));

/** Documents whose passages only their titles tell apart. */
export const NAMES = ["Alder", "Birch", "Cedar", "Dogwood", "Elm", "Fir"];
export const text = (name: string) => {
  const years = NAMES.indexOf(name) + 2;
  return `# ${name} tools\n\n## Warranty\n\nThe warranty runs for ${years} years from the day of purchase.\n\n## Returns\n\nGoods come back within ${years + 20} days of delivery, unused.\n`;
};

interface How {
  readonly env?: Record<string, string>;
  /** What is typed on the terminal; without it there is none. */
  readonly typed?: string;
}

export async function konteks(argv: readonly string[], { env = {}, typed }: How = {}) {
  let [out, err] = ["", ""];
  const input = Object.assign(new PassThrough(), { isTTY: typed !== undefined });
  input.end(typed ?? "");
  const code = await main({
    argv,
    cwd,
    env: { HOME: cwd, ...env },
    input,
    signal: new AbortController().signal,
    stdout: { write: (part) => (out += part) },
    stderr: { write: (part) => (err += part) },
  });
  return { code, out, err };
}

export const file = (name: string) => join(cwd, name);
export const lines = (name: string) =>
  readFileSync(file(name), "utf8")
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line));

/** A question for each document, with the passage that answers it. */
export function writeQuestions(): void {
  const rows = NAMES.map(
    (name, index) =>
      `How many years of warranty on ${name} tools?,The warranty runs for ${index + 2} years,${name}.md`,
  );
  writeFileSync(file("q.csv"), `question,quote,document\n${rows.join("\n")}\n`);
}
