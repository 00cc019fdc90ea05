import { readFileSync } from "node:fs";
import { Command as Commander, Option } from "commander";
import { SETTINGS } from "../config/settings.ts";
import { COMMANDS, COMMON_FLAGS, type Command, GROUPS } from "./commands.ts";

/** What was typed: the command, its arguments and its flags. */
export interface Invocation {
  readonly command: Command;
  readonly args: readonly string[];
  readonly flags: Readonly<Record<string, unknown>>;
}

export interface ProgramOutput {
  readonly out: (text: string) => void;
  readonly columns: number;
  readonly colors: boolean;
}

/**
 * Reads the command line. Undefined when help or the version was asked for and has been printed; wrong use throws
 * commander's `CommanderError`, with the nearest right word in it.
 */
export async function parseCommandLine(
  argv: readonly string[],
  output: ProgramOutput,
): Promise<Invocation | undefined> {
  let invocation: Invocation | undefined;
  const program = createProgram(output, (found) => {
    invocation = found;
  });
  // A name of a group, or nothing, asks what there is.
  const asksForHelp = argv.length === 0 || (argv.length === 1 && argv[0] !== undefined && argv[0] in GROUPS);
  await program.parseAsync(asksForHelp ? [...argv, "--help"] : [...argv], { from: "user" });
  return invocation;
}

/** The command at the front of what was typed, or its group; "" where it is neither. */
export function typedCommand([first = "", second = ""]: readonly string[]): string {
  const names = new Set([...COMMANDS.map(({ name }) => name), ...Object.keys(GROUPS)]);
  return [`${first} ${second}`, first].find((name) => names.has(name)) ?? "";
}

function createProgram(output: ProgramOutput, found: (invocation: Invocation) => void): Commander {
  const program = new Commander("konteks")
    .description("Contextual retrieval: ask questions of a folder of documents. Runs without a key.")
    .version(version(), "-V, --version", "print the version")
    .helpOption("-h, --help", "show help")
    .helpCommand("help [command]", "show help for a command")
    .enablePositionalOptions(false)
    .exitOverride()
    .configureOutput({
      writeOut: output.out,
      writeErr: () => {}, // the caller prints the error, as one line or as JSON
      getOutHelpWidth: () => output.columns,
      getOutHasColors: () => output.colors,
    })
    .addHelpText("after", `\n${FOOTER}`);
  for (const command of COMMANDS) addCommand(program, command, found);
  return program;
}

const FOOTER = `Example:
  konteks ask ./docs "How long is the notice period?"

Exit codes: 0 done, 1 failed (of ingest also when a file or chunk could not be finished), 2 wrong use, 130 stopped.
With --json an error is {"error": {"code", "message", "facts"}} on stderr.`;

function addCommand(program: Commander, command: Command, found: (invocation: Invocation) => void): void {
  const [name = "", ...above] = command.name.split(" ").reverse();
  const parent = above.reduceRight(groupIn, program);
  const sub = parent.command(`${name} ${command.args}`.trim()).summary(command.about);
  const more = command.more?.replace(/(?<![.:\n])\n(?!\n)/g, " ");
  sub.description(sentence(command.about) + (more === undefined ? "" : `\n\n${more}`));
  if (command.usage !== undefined) sub.usage(command.usage);
  for (const option of optionsOf(command)) sub.addOption(option);
  sub.addHelpText("after", examplesText(command.examples));
  sub.action(() => found({ command, args: sub.args, flags: typedFlags(sub) }));
}

function examplesText(examples: readonly string[]): string {
  return `\nExamples:\n${examples.map((example) => `  ${example}`).join("\n")}`;
}

/** "eval ladder" is a command of the group "eval". */
function groupIn(parent: Commander, name: string): Commander {
  const there = parent.commands.find((command) => command.name() === name);
  if (there !== undefined) return there;
  const examples = COMMANDS.filter((command) => command.name.startsWith(`${name} `)).flatMap((command) =>
    command.examples.slice(0, 1),
  );
  return parent
    .command(name)
    .summary(GROUPS[name] ?? name)
    .description(sentence(GROUPS[name] ?? name))
    .addHelpText("after", examplesText(examples));
}

/** Those that belong to the command first; of a long list, the others under what they are about. */
function optionsOf(command: Command): Option[] {
  const own = (command.flags ?? []).map(([flag, about]) => option(flag, about));
  const settings = SETTINGS.filter(({ key }) => applies(command, key)).map(
    ({ key, flag, about, byDefault }) => ({
      option: option(flag, flag.startsWith("--no-") ? about : `${about}; default: ${byDefault}`),
      group: SETTING_GROUPS.find(([keys]) => keys.test(key))?.[1],
    }),
  );
  const common = COMMON_FLAGS.map(([flag, about]) => option(flag, about));
  if (settings.length + own.length > MOST_UNGROUPED) {
    for (const { option: one, group } of settings) if (group !== undefined) one.helpGroup(group);
    for (const one of common) one.helpGroup("Every command:");
  }
  const [first, grouped] = [false, true].map((isGrouped) =>
    settings.filter(({ group }) => (group !== undefined) === isGrouped).map((one) => one.option),
  );
  return [...(first ?? []), ...own, ...(grouped ?? []), ...common];
}

/** More options than this are not read as one list. */
const MOST_UNGROUPED = 12;
const SETTING_GROUPS: readonly (readonly [keys: RegExp, heading: string])[] = [
  [/^context/, "Contexts:"],
  [/^(?:embedding|local)/, "Vectors:"],
  [/^chunk/, "Chunks:"],
  [/^search\.(?!k$)/, "Search:"],
  [/^ingest/, "Reading files:"],
];

function option(flag: string, about: string): Option {
  const made = new Option(flag, about);
  const repeatable = REPEATABLE.some((name) => flag.startsWith(name));
  return repeatable
    ? made.argParser((value: string, earlier: string[] | undefined) => [...(earlier ?? []), value])
    : made;
}

/** Flags that may be typed several times. */
const REPEATABLE = [
  "--meta",
  "--vary",
  "--gold",
  "--tag",
  "--report",
  "--also",
  "--allow-host",
  "--allow-origin",
];

function applies({ settings }: Command, key: string): boolean {
  return settings.some((wanted) => (wanted.endsWith(".") ? key.startsWith(wanted) : key === wanted));
}

/** Only what the user typed: commander invents `true` for every `--no-x`. */
function typedFlags(sub: Commander): Record<string, unknown> {
  const options = Object.entries(sub.opts<Record<string, unknown>>());
  return Object.fromEntries(options.filter(([name]) => sub.getOptionValueSource(name) === "cli"));
}

function sentence(text: string): string {
  return `${text.slice(0, 1).toUpperCase()}${text.slice(1)}.`;
}

function version(): string {
  const manifest = new URL("../../package.json", import.meta.url);
  return String(JSON.parse(readFileSync(manifest, "utf8")).version);
}
