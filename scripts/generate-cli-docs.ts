/**
 * Writes docs/cli.md: every command's help as the program prints it, and every setting with its three ways in.
 * With `--check` nothing is written; the page must be up to date.
 */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { COMMANDS } from "../src/cli/commands.ts";
import { parseCommandLine } from "../src/cli/program.ts";
import { SETTINGS } from "../src/config/settings.ts";
import { formatted, ROOT } from "./lib/run.ts";

const FILE = "docs/cli.md";

const INTRO = `# Command line

<!-- Written by scripts/generate-cli-docs.ts from the program itself; edit src/cli/commands.ts or src/config/settings.ts. -->

A flag wins over an environment variable, a variable over the configuration file, and the file over the default;
\`konteks status\` shows what is in force and where it came from. Keys for models come from the environment
(\`ANTHROPIC_API_KEY\`, \`OPENAI_API_KEY\`, …) and are never written anywhere.
`;

const path = join(ROOT, FILE);
const page = formatted(FILE, await render());
if (!process.argv.includes("--check")) writeFileSync(path, page);
else if (page !== readFileSync(path, "utf8")) {
  console.error(`${FILE} is out of date. Run: npm run docs:cli`);
  process.exitCode = 1;
}

async function render(): Promise<string> {
  const commands = await Promise.all(
    COMMANDS.map(
      async ({ name }) => `## konteks ${name}\n\n${fence(await helpOf([...name.split(" "), "--help"]))}`,
    ),
  );
  return [INTRO, `## konteks\n\n${fence(await helpOf(["--help"]))}`, ...commands, settings()].join("\n");
}

async function helpOf(argv: readonly string[]): Promise<string> {
  let text = "";
  const out = (part: string) => {
    text += part;
  };
  await parseCommandLine(argv, { out, columns: 100, colors: false }).catch(() => {
    // commander ends help with an error that carries exit code 0
  });
  if (text === "") throw new Error(`konteks ${argv.join(" ")} printed nothing`);
  return text;
}

function fence(text: string): string {
  return `\`\`\`text\n${text.trimEnd()}\n\`\`\`\n`;
}

function settings(): string {
  const rows = SETTINGS.map(({ key, flag, variable, byDefault, about }) =>
    [`\`${key}\``, `\`${flag}\``, variable === undefined ? "" : `\`${variable}\``, byDefault, about]
      .map((cell) => cell.replaceAll("|", "\\|"))
      .join(" | "),
  );
  return `## Settings

\`konteks init\` writes a commented \`konteks.config.ts\`. Keys are dotted paths in it.

| key | flag | variable | default | meaning |
|---|---|---|---|---|
${rows.map((row) => `| ${row} |`).join("\n")}
`;
}
