import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import type { Language, Node, Parser } from "@vscode/tree-sitter-wasm";
import type { Block, Heading } from "../../spec/index.ts";
import { lineAt } from "../../util/lines.ts";
import { type Grammar, grammarFor, nameOf } from "./code-grammars.ts";
import { type Definition, layOutCode, leadingStart } from "./code-layout.ts";
import type { CodeLine } from "./code-lines.ts";

/** Longer source code is generated, and told well enough by its indentation. */
const longest = 1_000_000;
/** Of a file's characters, those in places that the grammar does not understand; above, another language is in it. */
const mostBroken = 0.2;

/**
 * Blocks of source code by the grammar of its language (tree-sitter). Undefined for languages without a grammar here, and
 * for a file that its grammar does not understand: these are read by `readCode`.
 */
export async function readCodeTree(
  text: string,
  path: string,
): Promise<{ blocks: Block[]; outline: Heading[] } | undefined> {
  const grammar = grammarFor(path, text);
  if (grammar === undefined || text.length > longest) return undefined;
  const parser = await parserOf(grammar.file);
  const tree = parser.parse(grammar.file === "cpp" ? withoutLinkage(text) : text);
  if (tree === null) return undefined;
  try {
    const { rootNode } = tree;
    if (rootNode.hasError && brokenShare(rootNode) > mostBroken) return undefined;
    return layOutCode(text, path, (lines, starts) => {
      const reading = { grammar, lines, starts };
      return definitionsBelow(rootNode, reading, { from: 0, to: lines.length });
    });
  } finally {
    tree.delete();
  }
}

/** Headers for C and C++ open a brace for one of them only, which no grammar can follow. Blanks keep every offset. */
function withoutLinkage(text: string): string {
  return text.replace(
    /^[ \t]*#[ \t]*ifdef[ \t]+__cplusplus\s+(?:extern[ \t]+"C"\s*\{|\})[^\n]*\s+#[ \t]*endif\b/gm,
    (guard) => guard.replace(/[^\r\n]/g, " "),
  );
}

const require = createRequire(import.meta.url);
let started: Promise<{ parser: Parser; load: (file: string) => Promise<Language> }> | undefined;
const languages = new Map<string, Promise<Language>>();

async function parserOf(file: string): Promise<Parser> {
  started ??= start();
  const { parser, load } = await started;
  const language = languages.get(file) ?? load(file);
  languages.set(file, language);
  return parser.setLanguage(await language);
}

async function start() {
  const main = require.resolve("@vscode/tree-sitter-wasm");
  const { default: library } = await import("@vscode/tree-sitter-wasm");
  await library.Parser.init();
  const load = (file: string) => library.Language.load(join(dirname(main), `tree-sitter-${file}.wasm`));
  return { parser: new library.Parser(), load };
}

interface Reading {
  readonly grammar: Grammar;
  readonly lines: readonly CodeLine[];
  readonly starts: Uint32Array;
}

/** Lines of a definition must not overlap those of its neighbours; `from` and `to` are what it may take. */
interface Room {
  readonly from: number;
  readonly to: number;
}

/** Data and expressions, in which nobody looks for definitions. */
const closed =
  /^(?:object|array|dictionary|list|tuple|set|hash|.*string.*|.*comment.*|.*literal|.*parameters?|initializer_list|binary_.*|import_.*|type_annotation|preproc_(?:def|include|function_def))$/;

function definitionsBelow(node: Node, reading: Reading, { from, to }: Room): Definition[] {
  const found: Definition[] = [];
  let open = from;
  for (const { node: inner, name } of candidates(node, reading.grammar)) {
    const line = lineAt(reading.starts, outermost(inner).startIndex) - 1;
    const end = Math.min(
      to,
      lineAt(reading.starts, Math.max(inner.startIndex, outermost(inner).endIndex - 1)),
    );
    if (line < open || end <= line) continue;
    const start = Math.max(open, leadingStart(reading.lines, line));
    const body = reading.grammar.containers.has(inner.type)
      ? definitionsBelow(inner, reading, { from: line + 1, to: end })
      : [];
    found.push({ name, start, line, end, inner: body });
    open = end;
  }
  return found;
}

/** The nearest definitions below a node, in order. */
function* candidates(node: Node, grammar: Grammar): Generator<{ node: Node; name: string }> {
  for (const child of node.namedChildren) {
    if (child === null || closed.test(child.type)) continue;
    const isDefinition = grammar.units.has(child.type) || grammar.containers.has(child.type);
    const name = isDefinition ? nameOf(child) : undefined;
    if (name !== undefined && name !== "") yield { node: child, name };
    else yield* candidates(child, grammar);
  }
}

/** What stands around a definition on the same lines: `export`, decorators, template parameters. */
function outermost(node: Node): Node {
  const { parent } = node;
  const wraps =
    /^(?:export_statement|decorated_definition|template_declaration|ambient_declaration|expression_statement)$/;
  return parent !== null && wraps.test(parent.type) ? outermost(parent) : node;
}

function brokenShare(root: Node): number {
  const broken = (node: Node): number => {
    if (node.isError) return node.endIndex - node.startIndex;
    if (!node.hasError) return 0;
    return node.children.reduce((sum, child) => sum + (child === null ? 0 : broken(child)), 0);
  };
  return broken(root) / Math.max(1, root.endIndex - root.startIndex);
}
