/** `npm run build`: `src` → `dist`, JavaScript with declarations, ready to be packed. */
import { spawnSync } from "node:child_process";
import { chmodSync, cpSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join, relative } from "node:path";

const root = join(import.meta.dirname, "..");
const dist = join(root, "dist");
const bin = join(dist, "cli", "bin.js");

rmSync(dist, { recursive: true, force: true });
compile();
copyCharacterMaps();
const rewritten = rewriteDeclarations();
makeExecutable();
console.log(`build: ${filesBelow(dist).length} files in dist, ${rewritten} declarations rewritten`);

function compile(): void {
  const tsc = join(root, "node_modules", "typescript", "bin", "tsc");
  const { status } = spawnSync(process.execPath, [tsc, "-p", "tsconfig.build.json"], {
    cwd: root,
    stdio: "inherit",
  });
  if (status === 0) return;
  console.error("build: the compiler found errors (above).");
  process.exit(1);
}

/** Of pdfjs-dist only these are needed at run time: 1 MB of 38. */
function copyCharacterMaps(): void {
  const maps = join(root, "node_modules", "pdfjs-dist", "cmaps");
  cpSync(maps, join(dist, "ingest", "load", "cmaps"), { recursive: true });
}

/** The compiler rewrites `./x.ts` in JavaScript; where it does not do so in declarations, users could not read them. */
function rewriteDeclarations(): number {
  let changed = 0;
  for (const file of filesBelow(dist).filter((name) => name.endsWith(".d.ts"))) {
    const text = readFileSync(file, "utf8");
    const fixed = text.replace(
      /((?:from|import\()\s*|import\s+)(["'])(\.{1,2}\/[^"']+)\.ts\2/g,
      "$1$2$3.js$2",
    );
    if (fixed === text) continue;
    writeFileSync(file, fixed);
    changed++;
  }
  const left = filesBelow(dist).filter((file) => /\.(js|d\.ts)$/.test(file) && namesSources(file));
  if (left.length > 0) throw new Error(`These files still import .ts files: ${left.join(", ")}`);
  return changed;
}

/** Looks at lines that import or re-export; other strings may name what they like. */
function namesSources(file: string): boolean {
  const text = readFileSync(file, "utf8");
  return /^(import|export|\}).*from ["']\.{1,2}\/[^"'\n]+\.ts["'];?$/m.test(text);
}

function makeExecutable(): void {
  if (!readFileSync(bin, "utf8").startsWith("#!/usr/bin/env node\n")) {
    throw new Error(`${relative(root, bin)} must begin with #!/usr/bin/env node`);
  }
  chmodSync(bin, 0o755);
}

function filesBelow(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));
}
