/**
 * `npm run check:docs`: the code in README.md and docs/ runs. `ts` blocks are type-checked against the built package
 * and executed; `sh` blocks of the README that call konteks or an npm script are executed; every command is in
 * docs/cli.md, and generated pages are up to date; links lead somewhere; decisions are numbered and in their index.
 * `<!-- not run: reason -->` above a block keeps it from being run (it is still type-checked); no other way around.
 */
import {
  cpSync,
  existsSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { COMMANDS } from "../src/cli/commands.ts";
import { type CodeBlock, codeBlocks } from "./lib/markdown-code.ts";
import { brokenLinks } from "./lib/markdown-links.ts";
import { createChecks, ROOT, run } from "./lib/run.ts";

/** A block with its page. */
interface PageBlock extends CodeBlock {
  readonly page: string;
}

const TSCONFIG = {
  compilerOptions: {
    target: "es2023",
    module: "nodenext",
    lib: ["es2023", "esnext.disposable"],
    types: ["node"],
    strict: true,
    noUncheckedIndexedAccess: true,
    exactOptionalPropertyTypes: true,
    skipLibCheck: true,
    noEmit: true,
  },
  include: ["*.ts"],
};

const checks = createChecks("docs");
const folder = mkdtempSync(join(tmpdir(), "konteks-docs-"));
try {
  const build = run("node", ["scripts/build.ts"], { cwd: ROOT });
  if (checks.check("the package builds", build.ok, build.output)) {
    prepare();
    const blocks = readBlocks();
    checkTypes(blocks.filter(({ language }) => language === "ts"));
    for (const block of blocks) runBlock(block);
  }
  checkPages();
  checkLinks();
  checkDecisions();
} finally {
  rmSync(folder, { recursive: true, force: true });
  checks.end();
}

/** A project as a user has it: konteks installed, some documents in `docs/`. */
function prepare(): void {
  mkdirSync(join(folder, "node_modules", ".bin"), { recursive: true });
  symlinkSync(ROOT, join(folder, "node_modules", "konteks"), "dir");
  for (const name of ["@types", "@ai-sdk"]) {
    symlinkSync(join(ROOT, "node_modules", name), join(folder, "node_modules", name), "dir");
  }
  symlinkSync(join(ROOT, "dist", "cli", "bin.js"), join(folder, "node_modules", ".bin", "konteks"));
  writeFileSync(join(folder, "package.json"), JSON.stringify({ private: true, type: "module" }));
  writeFileSync(join(folder, "tsconfig.json"), JSON.stringify(TSCONFIG));
  const skip = /manuals$|[\\/]\.konteks$/;
  cpSync(join(ROOT, "examples", "documents"), join(folder, "docs"), {
    recursive: true,
    filter: (path) => !skip.test(path),
  });
}

function readBlocks(): PageBlock[] {
  return ["README.md", ...globSync("docs/**/*.md", { cwd: ROOT })].flatMap((page) =>
    codeBlocks(readFileSync(join(ROOT, page), "utf8")).map((block) => ({ ...block, page })),
  );
}

function fileOf(block: PageBlock): string {
  return `${block.page.replace(/\W/g, "_")}_${block.line}.ts`;
}

function checkTypes(blocks: readonly PageBlock[]): void {
  // An import or export makes a module of each, so that blocks do not see each other's names.
  for (const block of blocks) writeFileSync(join(folder, fileOf(block)), `${block.code}\nexport {};\n`);
  const tsc = join(ROOT, "node_modules", "typescript", "bin", "tsc");
  const { ok, output } = run("node", [tsc, "-p", folder], { cwd: folder });
  checks.check(`the types of ${blocks.length} examples (files are named after page and line)`, ok, output);
}

function runBlock(block: PageBlock): void {
  if (block.notRun !== undefined) return;
  const place = `${block.page}:${block.line}`;
  if (block.language === "ts") {
    const { ok, output } = run("node", [fileOf(block)], { cwd: folder });
    checks.check(`${place} runs`, ok, output);
  }
  if (block.language !== "sh" || block.page !== "README.md") return;
  for (const line of block.code.split("\n").filter((text) => /^(npx konteks|npm run) /.test(text))) {
    const cwd = line.startsWith("npm") ? ROOT : folder;
    const { ok, output } = run("bash", ["-c", line], { cwd });
    checks.check(`${place} \`${line}\` ends with exit code 0`, ok, output);
  }
}

function checkPages(): void {
  const page = readFileSync(join(ROOT, "docs", "cli.md"), "utf8");
  for (const { name } of COMMANDS) {
    checks.check(`docs/cli.md has a section on konteks ${name}`, page.includes(`\n## konteks ${name}\n`));
  }
  for (const script of ["generate-cli-docs.ts", "generate-notices.ts"]) {
    const fresh = run("node", [`scripts/${script}`, "--check"], { cwd: ROOT });
    checks.check(`the page of scripts/${script} is up to date`, fresh.ok, fresh.output);
  }
}

function checkLinks(): void {
  const names = globSync(["*.md", "docs/**/*.md", "packages/*/*.md"], { cwd: ROOT });
  const pages = Object.fromEntries(names.map((name) => [name, readFileSync(join(ROOT, name), "utf8")]));
  const broken = brokenLinks(pages, (path) => existsSync(join(ROOT, path)));
  checks.check(`the links of ${names.length} pages`, broken.length === 0, broken.join("\n"));
}

/** Numbered without gaps, the number in the title as well, each in the index. */
function checkDecisions(): void {
  const folder = join(ROOT, "docs", "decisions");
  const index = readFileSync(join(folder, "README.md"), "utf8");
  for (const [i, name] of globSync("0*.md", { cwd: folder }).sort().entries()) {
    const whole =
      Number(name.slice(0, 4)) === i + 1 &&
      readFileSync(join(folder, name), "utf8").startsWith(`# ${i + 1}. `) &&
      index.includes(`](${name})`);
    checks.check(`docs/decisions/${name} has the number ${i + 1} and stands in README.md`, whole);
  }
}
