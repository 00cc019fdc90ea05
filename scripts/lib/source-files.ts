import { readdirSync, readFileSync } from "node:fs";
import { join, relative, sep } from "node:path";
import { parseSync } from "vite";

/** An import as it stands in a file. */
export interface Import {
  /** As written: `./x.ts`, `node:fs`, `ai`. */
  readonly from: string;
  /** `static`: needed before the file runs. `type`: gone at run time. `dynamic`: on first use. */
  readonly kind: "static" | "type" | "dynamic";
}

export interface LongFunction {
  readonly name: string;
  readonly line: number;
  readonly lines: number;
}

export interface SourceFile {
  /** Below the root, with `/`. */
  readonly path: string;
  readonly text: string;
  readonly imports: readonly Import[];
  /** Every function, with its length. */
  readonly functions: readonly LongFunction[];
}

/** Every TypeScript file below a folder, by path. */
export function readSourceFiles(root: string, folder: string): SourceFile[] {
  return readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith(".ts"))
    .map((entry) => relative(root, join(entry.parentPath, entry.name)).split(sep).join("/"))
    .sort()
    .map((path) => parseSourceFile(path, readFileSync(join(root, path), "utf8")));
}

export function parseSourceFile(path: string, text: string): SourceFile {
  const { program, errors } = parseSync(path, text);
  const [error] = errors;
  if (error) throw new Error(`${path} cannot be parsed: ${error.message}`);
  const imports: Import[] = [];
  const functions: LongFunction[] = [];
  walk(program, undefined, (node, parent) => {
    const found = importOf(node);
    if (found) imports.push(found);
    if (FUNCTIONS.has(node.type)) functions.push(functionOf(node, parent, text));
  });
  return { path, text, imports, functions };
}

/** A node of the syntax tree, as far as it matters here. */
interface Node {
  readonly type: string;
  readonly start: number;
  readonly end: number;
  readonly [field: string]: unknown;
}

const FUNCTIONS = new Set(["FunctionDeclaration", "FunctionExpression", "ArrowFunctionExpression"]);

function walk(value: unknown, parent: Node | undefined, visit: (node: Node, parent?: Node) => void): void {
  if (Array.isArray(value)) {
    for (const item of value) walk(item, parent, visit);
    return;
  }
  if (typeof value !== "object" || value === null) return;
  const node = isNode(value) ? value : undefined;
  if (node) visit(node, parent);
  for (const child of Object.values(value)) walk(child, node ?? parent, visit);
}

function isNode(value: object): value is Node {
  return "type" in value && typeof value.type === "string" && "start" in value;
}

function importOf(node: Node): Import | undefined {
  const from = literal(node.source ?? node.argument);
  if (from === undefined) return undefined;
  switch (node.type) {
    case "ImportDeclaration":
      return { from, kind: onlyTypes(node, node.importKind) ? "type" : "static" };
    case "ExportNamedDeclaration":
    case "ExportAllDeclaration":
      return { from, kind: onlyTypes(node, node.exportKind) ? "type" : "static" };
    case "ImportExpression":
      return { from, kind: "dynamic" };
    case "TSImportType":
      return { from, kind: "type" };
    default:
      return undefined;
  }
}

/** `import type …`, or braces in which every name is a `type`. */
function onlyTypes(node: Node, kind: unknown): boolean {
  if (kind === "type") return true;
  const names = Array.isArray(node.specifiers) ? (node.specifiers as Node[]) : [];
  return names.length > 0 && names.every((name) => (name.importKind ?? name.exportKind) === "type");
}

function literal(node: unknown): string | undefined {
  if (typeof node !== "object" || node === null) return undefined;
  if ("literal" in node) return literal(node.literal);
  return "value" in node && typeof node.value === "string" ? node.value : undefined;
}

function functionOf(node: Node, parent: Node | undefined, text: string): LongFunction {
  const line = text.slice(0, node.start).split("\n").length;
  const name = nameOf(node.id) ?? nameOf(parent?.id) ?? nameOf(parent?.key) ?? "(anonymous)";
  return { name, line, lines: text.slice(node.start, node.end).split("\n").length };
}

function nameOf(node: unknown): string | undefined {
  if (typeof node !== "object" || node === null || !("name" in node)) return undefined;
  return typeof node.name === "string" ? node.name : undefined;
}
