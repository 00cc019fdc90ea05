import { posix } from "node:path";
import type { Import, SourceFile } from "./source-files.ts";

/** Everything but the folders named. */
interface AllBut {
  readonly allBut: readonly string[];
}

/** Who may import whom; ARCHITECTURE.md says why. A folder may always import itself. */
export const LAYERS: Readonly<Record<string, readonly string[] | AllBut>> = {
  spec: [],
  util: ["spec"],
  text: ["spec", "util"],
  llm: ["spec", "util", "text"],
  ingest: ["spec", "util", "text", "llm"],
  query: ["spec", "util", "text", "llm"],
  stores: ["spec", "util", "text", "llm"],
  models: ["spec", "util", "text", "llm"],
  engine: ["spec", "util", "text", "llm", "ingest", "query"],
  open: ["spec", "util", "text", "llm", "ingest", "query", "engine", "stores", "models"],
  eval: ["spec", "util", "text", "llm", "engine"],
  testing: ["spec", "util", "text", "llm"],
  server: ["spec", "util", "engine"],
  mcp: ["spec", "util", "engine"],
  config: { allBut: ["cli", "server", "mcp"] },
  cli: { allBut: [] },
};

/** Files directly in `src/`. */
const ROOT_FILES: Readonly<Record<string, string>> = {
  "src/engine.ts": "engine",
  "src/open.ts": "open",
  "src/index.ts": "open",
  "src/settings.ts": "open",
};

/** The steps of both directions, each a file or a folder. One never imports another; what else is there joins them. */
export const STEPS: Readonly<Record<string, readonly string[]>> = {
  ingest: ["load", "chunk", "contextualize", "embed", "write"],
  query: ["search", "fuse", "rerank", "expand", "answer"],
};

/** Folders whose members are kept apart. */
const ADAPTERS = ["stores"];

/** The only file that touches the AI SDK's core. */
export const AI_FILE = "src/llm/ai.ts";

/** Libraries that `import "konteks"` may load. All others come with `import()` on first use. */
export const LIGHT = ["ignore", "p-limit", "p-retry", "picocolors"];

const MAX_FILE_LINES = 400;
const MAX_FUNCTION_LINES = 60;
/** What a longer one says in its first lines, with the reason. */
const EXCUSE = /long because/i;

/** One sentence for each rule that is broken. */
export function brokenRules(files: readonly SourceFile[]): string[] {
  return [
    ...files.filter((file) => !isTest(file.path)).flatMap(brokenImports),
    ...rings(files),
    ...heavyImports(files),
    ...files.flatMap(tooLong),
  ];
}

export function isTest(path: string): boolean {
  return /\.(test|fixture)\.ts$/.test(path);
}

function brokenImports(file: SourceFile): string[] {
  return file.imports.flatMap((found) => {
    const reason = found.from.startsWith(".") ? wrongFile(file.path, found) : wrongLibrary(file.path, found);
    return reason === undefined ? [] : [`${file.path} imports ${found.from}: ${reason}.`];
  });
}

function wrongLibrary(path: string, { from }: Import): string | undefined {
  if (from === "ai" && path !== AI_FILE) return `only ${AI_FILE} may import the AI SDK's core`;
  if (path.startsWith("src/spec/")) return "spec imports nothing";
  return undefined;
}

function wrongFile(path: string, { from }: Import): string | undefined {
  const target = resolveImport(path, from);
  const [here, there] = [layerOf(path), layerOf(target)];
  if (here === undefined) return `${path} belongs to no folder of the table`;
  if (there === undefined) return `${target} belongs to no folder of the table`;
  if (here !== there && !mayImport(here, there)) return `${here} may not import ${there}`;
  if (here === "open" && there === "stores" && !target.startsWith("src/stores/sqlite/")) {
    return "of the stores only sqlite is the default";
  }
  return here === there ? wrongNeighbour(here, path, target) : undefined;
}

function wrongNeighbour(layer: string, path: string, target: string): string | undefined {
  const [here, there] = [memberOf(path), memberOf(target)];
  if (here === there) return undefined;
  const steps = STEPS[layer];
  if (steps?.includes(here) && steps.includes(there))
    return `the step ${here} may not import the step ${there}`;
  if (ADAPTERS.includes(layer)) return `the adapter ${here} may not import the adapter ${there}`;
  return undefined;
}

function mayImport(here: string, there: string): boolean {
  const allowed = LAYERS[here] ?? [];
  return "allBut" in allowed ? !allowed.allBut.includes(there) : allowed.includes(there);
}

export function layerOf(path: string): string | undefined {
  const parts = path.split("/");
  if (parts.length === 2) return ROOT_FILES[path];
  const layer = parts[1] ?? "";
  return layer in LAYERS ? layer : undefined;
}

/** `src/ingest/chunk/x.ts` and `src/ingest/chunk.ts` are both of `chunk`. */
function memberOf(path: string): string {
  return (path.split("/")[2] ?? "").replace(/\.ts$/, "");
}

function resolveImport(path: string, from: string): string {
  return posix.normalize(posix.join(posix.dirname(path), from));
}

/** Files that import each other in a circle, types included: strongly connected components, by Tarjan (1972). */
export function rings(files: readonly SourceFile[]): string[] {
  const targets = new Map(files.map((file) => [file.path, localTargets(file)]));
  return components(targets)
    .filter((ring) => ring.length > 1)
    .map((ring) => `These files import each other in a ring: ${ring.sort().join(", ")}.`);
}

function localTargets(file: SourceFile, kinds: readonly Import["kind"][] = ["static", "type"]): string[] {
  return file.imports
    .filter(({ from, kind }) => from.startsWith(".") && kinds.includes(kind))
    .map(({ from }) => resolveImport(file.path, from));
}

function components(targets: ReadonlyMap<string, readonly string[]>): string[][] {
  const order = new Map<string, number>();
  const low = new Map<string, number>();
  const open: string[] = [];
  const found: string[][] = [];
  const visit = (node: string): number => {
    const index = order.size;
    order.set(node, index);
    low.set(node, index);
    open.push(node);
    for (const next of targets.get(node) ?? []) {
      if (!targets.has(next)) continue;
      const reach = order.has(next)
        ? open.includes(next)
          ? (order.get(next) ?? index)
          : index
        : visit(next);
      low.set(node, Math.min(low.get(node) ?? index, reach));
    }
    if (low.get(node) === index) found.push(open.splice(open.indexOf(node)));
    return low.get(node) ?? index;
  };
  for (const node of targets.keys()) if (!order.has(node)) visit(node);
  return found;
}

/** What `import "konteks"` would load before anything is used. */
function heavyImports(files: readonly SourceFile[]): string[] {
  const byPath = new Map(files.map((file) => [file.path, file]));
  const reached = new Set<string>();
  const visit = (path: string) => {
    const file = byPath.get(path);
    if (!file || reached.has(path)) return;
    reached.add(path);
    for (const target of localTargets(file, ["static"])) visit(target);
  };
  visit("src/index.ts");
  return [...reached].flatMap((path) =>
    (byPath.get(path)?.imports ?? [])
      .filter(({ from, kind }) => kind === "static" && isHeavy(from))
      .map(
        ({ from }) => `${path} loads ${from} with \`import "konteks"\`; load it by import() on first use.`,
      ),
  );
}

function isHeavy(specifier: string): boolean {
  return !/^(\.|node:)/.test(specifier) && !LIGHT.includes(packageOf(specifier));
}

function packageOf(specifier: string): string {
  return specifier
    .split("/")
    .slice(0, specifier.startsWith("@") ? 2 : 1)
    .join("/");
}

function tooLong(file: SourceFile): string[] {
  const lines = file.text.trimEnd().split("\n");
  const excused = (from: number) => EXCUSE.test(lines.slice(Math.max(0, from), from + 8).join("\n"));
  const fileTooLong = lines.length > MAX_FILE_LINES && !excused(0);
  const functions = isTest(file.path) ? [] : file.functions.filter((f) => f.lines > MAX_FUNCTION_LINES);
  return [
    ...(fileTooLong
      ? [`${file.path} has ${lines.length} lines. Split it, or say in its first lines "long because …".`]
      : []),
    ...functions
      .filter(({ line }) => !excused(line - 5))
      .map(
        ({ name, line, lines: length }) =>
          `${file.path}:${line} ${name} has ${length} lines. Split it, or say above it "long because …".`,
      ),
  ];
}
