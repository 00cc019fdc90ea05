/**
 * `npm run check:package`: packs, installs the pack into an empty project, and uses it there as a user would, on every
 * supported line of Node and once on an older one. `--write-sizes` renews docs/install-size.md.
 */
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { installSizePage, megabytes, packageSizes } from "./lib/install-size.ts";
import { createChecks, formatted, type Ran, ROOT, run } from "./lib/run.ts";

const MAX_INSTALL_BYTES = 100e6;
const OLDEST_NODE = "22.18.0";
const TOO_OLD_NODE = "20.18.0";
const INSTALL = ["install", "--no-audit", "--no-fund", "--prefer-offline", "--loglevel=error"];

const checks = createChecks("package");
const folder = mkdtempSync(join(tmpdir(), "konteks-package-"));
const project = join(folder, "project");
try {
  checkManifest();
  const pack = packAndInstall();
  if (pack !== undefined) {
    checkPublint(pack);
    checkInstall();
    checkTypes();
    useOn("the project's Node", join(ROOT, "node_modules", ".bin"));
    useOnOldestNode();
    refuseOnOldNode();
  }
} finally {
  rmSync(folder, { recursive: true, force: true });
  checks.end();
}

function npm(args: readonly string[], cwd: string): Ran {
  return run("npm", args, { cwd, timeoutMs: 300_000 });
}

function checkManifest(): void {
  const lockfile = readFileSync(join(ROOT, "package-lock.json"), "utf8");
  checks.check("the lockfile names no registry addresses", !lockfile.includes('"resolved": "http'));
}

function packAndInstall(): string | undefined {
  const packed = npm(["pack", "--json", "--pack-destination", folder], ROOT);
  if (!checks.check("npm pack", packed.ok, packed.output)) return undefined;
  const [pack] = JSON.parse(packed.stdout.slice(packed.stdout.search(/^\[/m)));
  const names: string[] = pack.files.map(({ path }: { path: string }) => path);
  const strays = names.filter((name) => /\.test\.|^(src|test|scripts|examples|bench)\//.test(name));
  checks.check("the pack holds the build and no sources or tests", strays.length === 0, strays.join("\n"));
  const file = join(folder, pack.filename);
  mkdirSync(project);
  writeFileSync(join(project, "package.json"), JSON.stringify({ private: true, type: "module" }));
  const installed = npm([...INSTALL, file], project);
  return checks.check("the pack installs into an empty project", installed.ok, installed.output)
    ? file
    : undefined;
}

function checkPublint(pack: string): void {
  const { ok, output } = run(join(ROOT, "node_modules", ".bin", "publint"), ["run", pack, "--strict"], {
    cwd: folder,
  });
  checks.check("publint", ok, output);
}

function checkInstall(): void {
  const lock = JSON.parse(readFileSync(join(project, "package-lock.json"), "utf8"));
  const packages = Object.entries<{ hasInstallScript?: boolean }>(lock.packages);
  const scripts = packages.filter(([, { hasInstallScript }]) => hasInstallScript).map(([name]) => name);
  checks.check("no package runs a script at install", scripts.length === 0, scripts.join("\n"));
  const sizes = packageSizes(project);
  const total = sizes.reduce((sum, { bytes }) => sum + bytes, 0);
  checks.check(`the install has ${megabytes(total)} MB, less than 100`, total < MAX_INSTALL_BYTES);
  if (!process.argv.includes("--write-sizes")) return;
  const file = "docs/install-size.md";
  writeFileSync(join(ROOT, file), formatted(file, installSizePage(sizes)));
}

/** The strictest settings, libraries checked as well, and no DOM library. */
function checkTypes(): void {
  const tsconfig = {
    compilerOptions: {
      target: "es2023",
      module: "nodenext",
      lib: ["es2023", "esnext.disposable"],
      types: ["node"],
      strict: true,
      noUncheckedIndexedAccess: true,
      exactOptionalPropertyTypes: true,
      verbatimModuleSyntax: true,
      skipLibCheck: false,
      noEmit: true,
    },
    files: ["uses.ts"],
  };
  const types = join(project, "node_modules", "@types");
  mkdirSync(types, { recursive: true });
  for (const name of ["@types/node", "undici-types"]) {
    symlinkSync(join(ROOT, "node_modules", name), join(project, "node_modules", name), "dir");
  }
  writeFileSync(join(project, "tsconfig.json"), JSON.stringify(tsconfig));
  cpSync(join(ROOT, "scripts", "package-check", "uses.ts.txt"), join(project, "uses.ts"));
  const tsc = join(ROOT, "node_modules", "typescript", "bin", "tsc");
  const { ok, output } = run("node", [tsc, "-p", project], { cwd: project });
  checks.check("a strict TypeScript project compiles against the package", ok, output);
  checkTypesAlone(tsconfig.compilerOptions);
}

/** What most import needs no declarations but the package's own: not Node's, nor newer libraries of the language. */
function checkTypesAlone(compilerOptions: Readonly<Record<string, unknown>>): void {
  const alone = { ...compilerOptions, lib: ["es2022", "dom"], types: [] };
  const config = join(project, "tsconfig.alone.json");
  writeFileSync(config, JSON.stringify({ compilerOptions: alone, files: ["alone.ts"] }));
  writeFileSync(
    join(project, "alone.ts"),
    'export { openKonteks } from "konteks";\nexport { runLadder } from "konteks/eval";\n',
  );
  const tsc = join(ROOT, "node_modules", "typescript", "bin", "tsc");
  const { ok, output } = run("node", [tsc, "-p", config], { cwd: project });
  checks.check("and one without the declarations of Node", ok, output);
}

/** Library and command line, with the `node` of a folder. Nothing may be said on stderr by Node itself. */
function useOn(name: string, bin: string): void {
  const env = { PATH: [bin, process.env.PATH ?? ""].join(delimiter) };
  const docs = join(folder, `docs ${name.replace(/\W/g, "")}`);
  mkdirSync(docs, { recursive: true });
  cpSync(join(ROOT, "examples", "documents", "contracts"), docs, { recursive: true });
  cpSync(join(ROOT, "scripts", "package-check", "uses.js.txt"), join(project, "uses.js"));
  const library = run("node", ["uses.js"], { cwd: project, env });
  checks.check(`${name}: the library works`, library.ok && library.stdout.includes("works"), library.output);
  checks.check(`${name}: no warnings`, !/Warning/.test(library.output), library.output);
  const { version } = JSON.parse(readFileSync(join(ROOT, "package.json"), "utf8"));
  const cli = (...args: string[]) => run("npx", ["--no-install", "konteks", ...args], { cwd: project, env });
  const told = cli("--version");
  checks.check(`${name}: npx konteks --version`, told.stdout.trim() === version, told.output);
  const index = join(docs, ".konteks");
  const ingested = cli("ingest", docs, "--index", index);
  checks.check(`${name}: npx konteks ingest`, ingested.ok, ingested.output);
  const found = cli("search", "contractual penalty", "--index", index, "--json");
  const search = found.ok && found.stdout.includes("nda-lindholm-okafor.txt");
  checks.check(`${name}: npx konteks search finds the contract`, search, found.output);
  const asked = cli("ask", docs, "How high is the contractual penalty?");
  checks.check(`${name}: npx konteks ask quotes the penalty`, /40,000/.test(asked.stdout), asked.output);
  checks.check(`${name}: the command line gives no warnings`, !/Warning/.test(asked.output), asked.output);
}

function useOnOldestNode(): void {
  const bin = installNode(OLDEST_NODE);
  if (bin !== undefined) useOn(`Node ${OLDEST_NODE}`, bin);
}

function refuseOnOldNode(): void {
  const bin = installNode(TOO_OLD_NODE);
  if (bin === undefined) return;
  const main = join(project, "node_modules", "konteks", "dist", "cli", "bin.js");
  const { status, stdout, output } = run(join(bin, "node"), [main, "--version"], { cwd: project });
  const oneLine = output.split("\n").length === 1 && output.startsWith("konteks needs Node 22.18 or newer");
  checks.check(
    `Node ${TOO_OLD_NODE}: one line says what is needed`,
    status === 1 && stdout === "" && oneLine,
    output,
  );
}

/** The folder with that Node's program; undefined, and said so, where the registry has none for this machine. */
function installNode(version: string): string | undefined {
  const name = `node-${process.platform === "win32" ? "win" : process.platform}-${process.arch}`;
  const home = join(folder, `node-${version}`);
  mkdirSync(home);
  writeFileSync(join(home, "package.json"), "{}");
  const { ok } = npm([...INSTALL, `${name}@${version}`], home);
  if (ok) return join(home, "node_modules", name, "bin");
  console.log(`SKIPPED Node ${version}: ${name}@${version} could not be installed`);
  return undefined;
}
