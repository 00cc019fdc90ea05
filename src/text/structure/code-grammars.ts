import type { Node } from "@vscode/tree-sitter-wasm";

/** How a grammar names what a person looks for. */
export interface Grammar {
  /** Name of its file in the grammar package. */
  readonly file: string;
  /** Node types of definitions whose members are definitions of their own. */
  readonly containers: ReadonlySet<string>;
  /** Node types of definitions that stay whole. */
  readonly units: ReadonlySet<string>;
}

const words = (list: string): ReadonlySet<string> => new Set(list.split(/\s+/).filter((word) => word !== ""));

function grammar(file: string, containers: string, units: string): Grammar {
  return { file, containers: words(containers), units: words(units) };
}

const script = `function_declaration generator_function_declaration method_definition lexical_declaration variable_declaration
  field_definition public_field_definition assignment_expression export_statement`;
const typed = `${script} interface_declaration enum_declaration type_alias_declaration`;
const classes = "class_declaration abstract_class_declaration internal_module module";
const typescript = grammar("typescript", classes, typed);
const javascript = grammar("javascript", "class_declaration", script);
const cpp = grammar(
  "cpp",
  "namespace_definition class_specifier struct_specifier union_specifier",
  "function_definition enum_specifier type_definition",
);
const python = grammar("python", "class_definition", "function_definition");
const ruby = grammar("ruby", "class module", "method singleton_method");
const shell = grammar("bash", "", "function_definition");

/** By the endings of files' names. C is read as C++, of which it is nearly a part. */
const grammars: ReadonlyMap<string, Grammar> = new Map([
  ...each("ts mts cts", typescript),
  ...each("tsx", grammar("tsx", classes, typed)),
  ...each("js mjs cjs jsx", javascript),
  ...each("py pyi pyw", python),
  ...each("go", grammar("go", "", "function_declaration method_declaration type_declaration")),
  ...each(
    "rs",
    grammar(
      "rust",
      "impl_item trait_item mod_item",
      "function_item struct_item enum_item union_item macro_definition",
    ),
  ),
  ...each(
    "java",
    grammar(
      "java",
      "class_declaration interface_declaration enum_declaration record_declaration annotation_type_declaration",
      "method_declaration constructor_declaration compact_constructor_declaration",
    ),
  ),
  ...each("c h cc cpp cxx hh hpp hxx ino cu cuh", cpp),
  ...each(
    "cs",
    grammar(
      "c-sharp",
      "namespace_declaration class_declaration struct_declaration interface_declaration record_declaration",
      `method_declaration constructor_declaration destructor_declaration operator_declaration enum_declaration
       delegate_declaration property_declaration indexer_declaration local_function_statement`,
    ),
  ),
  ...each("rb rake gemspec", ruby),
  ...each(
    "php phtml",
    grammar(
      "php",
      "namespace_definition class_declaration interface_declaration trait_declaration enum_declaration",
      "function_definition method_declaration",
    ),
  ),
  ...each("sh bash zsh", shell),
  ...each("ps1 psm1", grammar("powershell", "class_statement", "function_statement class_method_definition")),
]);

function each(endings: string, of: Grammar): readonly (readonly [string, Grammar])[] {
  return [...words(endings)].map((ending) => [ending, of] as const);
}

/** By the name of the file; where that tells nothing, by what the text mostly looks like. */
export function grammarFor(path: string, text: string): Grammar | undefined {
  if (/(^|\/)(Rakefile|Gemfile|Vagrantfile)$/.test(path)) return ruby;
  const ending = /\.([^./]+)$/.exec(path)?.[1]?.toLowerCase();
  return grammars.get(ending ?? languageOf(text) ?? "");
}

/** Lines that are frequent in one language and no program in another. */
const traits: readonly (readonly [ending: string, lines: RegExp])[] = [
  ["rs", /^\s*(?:pub(?:\([a-z]+\))? )?(?:fn|impl|mod|struct|trait|use) [\w:<{]/gm],
  ["py", /^\s*(?:(?:async )?def \w+\(.*|class \w+.*:|from [\w.]+ import .*|import [\w.]+)$/gm],
  ["go", /^(?:package \w+$|func |type \w+ (?:struct|interface) \{)/gm],
  [
    "java",
    /^\s*(?:package [\w.]+;|import (?:static )?[\w.*]+;|public (?:final )?(?:class|interface|enum))/gm,
  ],
  ["ts", /^\s*(?:import .* from ["']|export (?:default|const|function|class|interface|type)|const \w+ = )/gm],
  ["cpp", /^\s*#\s*(?:include|define|ifdef|ifndef)|\bstd::|^namespace /gm],
  ["cs", /^\s*(?:using [\w.]+;|namespace [\w.]+)/gm],
  ["rb", /^\s*(?:require(?:_relative)? ['"]|def \w+[?!]?$|module [A-Z]\w*$|end$)/gm],
  ["php", /^<\?php/gm],
  ["sh", /^#!.*\b(?:ba|z)?sh\b/gm],
];

/** The ending that files of the text's language have. */
function languageOf(text: string): string | undefined {
  const start = text.slice(0, 100_000);
  const counts = traits.map(([ending, lines]) => ({ ending, count: start.match(lines)?.length ?? 0 }));
  const best = counts.reduce((most, each) => (each.count > most.count ? each : most));
  return best.count > 0 ? best.ending : undefined;
}

/** What a definition is called; undefined when the node is none after all (a variable that holds no function). */
export function nameOf(node: Node): string | undefined {
  const special = naming[node.type];
  const name = special === undefined ? field(node, "name") : special(node);
  return name?.replace(/\s+/g, " ").slice(0, 120);
}

const naming: Readonly<Record<string, (node: Node) => string | undefined>> = {
  lexical_declaration: boundFunction,
  variable_declaration: boundFunction,
  assignment_expression: (node) =>
    isFunction(node.childForFieldName("right")) ? field(node, "left") : undefined,
  public_field_definition: (node) => fieldFunction(node, "name"),
  field_definition: (node) => fieldFunction(node, "property"),
  method_declaration: (node) => {
    const receiver = /([\w.]+)(?:\[[^\]]*\])?\s*\)$/.exec(field(node, "receiver") ?? "")?.[1];
    const name = field(node, "name");
    return receiver === undefined ? name : `${receiver}.${name}`;
  },
  type_declaration: (node) => {
    const spec = node.namedChildren.find(
      (child) => child?.type === "type_spec" || child?.type === "type_alias",
    );
    return spec ? field(spec, "name") : undefined;
  },
  impl_item: (node) => {
    const [of, type] = [field(node, "trait"), field(node, "type")];
    return of === undefined ? type : `${of} for ${type}`;
  },
  function_definition: (node) => field(node, "name") ?? declared(node),
  type_definition: (node) => (spansLines(node) ? field(node, "declarator") : undefined),
  class_specifier: withBody,
  struct_specifier: withBody,
  union_specifier: withBody,
  enum_specifier: withBody,
  mod_item: withBody,
  namespace_definition: withBody,
  export_statement: (node) => (isFunction(node.childForFieldName("value")) ? "default" : undefined),
  property_declaration: (node) => (spansLines(node) ? field(node, "name") : undefined),
  indexer_declaration: (node) => (spansLines(node) ? "this[]" : undefined),
  operator_declaration: (node) => `operator ${field(node, "operator") ?? ""}`.trim(),
  function_statement: (node) => child(node, "function_name"),
  class_statement: (node) => child(node, "simple_name"),
  class_method_definition: (node) => child(node, "simple_name"),
};

function field(node: Node, name: string): string | undefined {
  return node.childForFieldName(name)?.text;
}

function child(node: Node, type: string): string | undefined {
  return node.namedChildren.find((each) => each?.type === type)?.text;
}

/** A namespace without a name is one all the same; a mention of a type (`struct point p`) is no definition. */
function withBody(node: Node): string | undefined {
  return node.childForFieldName("body") ? field(node, "name") : undefined;
}

function spansLines(node: Node): boolean {
  return node.endPosition.row - node.startPosition.row >= 2;
}

/** `const name = () => …`, and functions handed to one that wraps them: `const Name = memo(() => …)`. */
function boundFunction(node: Node): string | undefined {
  const declarator = node.namedChildren.find((each) => each?.type === "variable_declarator");
  return declarator ? fieldFunction(declarator, "name") : undefined;
}

function fieldFunction(node: Node, name: string): string | undefined {
  return isFunction(node.childForFieldName("value")) ? field(node, name) : undefined;
}

const functions = words("arrow_function function_expression generator_function class");

function isFunction(value: Node | null): boolean {
  if (value === null) return false;
  if (value.type !== "call_expression") return functions.has(value.type);
  const given = value.childForFieldName("arguments")?.namedChildren ?? [];
  return given.some((each) => each !== null && functions.has(each.type));
}

/** C and C++ wrap the name in what the definition gives back: `char *Reader::next()`. */
function declared(node: Node): string | undefined {
  let at = node.childForFieldName("declarator");
  while (at !== null && at.type !== "function_declarator") {
    at =
      at.childForFieldName("declarator") ??
      at.namedChildren.find((each) => each?.type.endsWith("_declarator")) ??
      null;
  }
  const name = at?.childForFieldName("declarator")?.text;
  // A macro that defines: `TEST(Suite, name) { … }`.
  const isMacro = node.childForFieldName("type") === null && /^[A-Z][A-Z\d_]*$/.test(name ?? "");
  return isMacro ? at?.text : name;
}
