const MODIFIERS =
  '(?:(?:export|default|public|private|protected|internal|static|async|abstract|final|override|virtual|pub(?:\\([^)]*\\))?|unsafe|extern(?:\\s+"C")?|inline|const|partial|sealed|readonly|declare|open|suspend|data|local|mutable|synchronized|native|constexpr|explicit|friend)\\s+)*';
const KEYWORDS =
  "function|class|interface|enum|struct|trait|impl|mod|module|namespace|type|def|fn|func|fun|union|record|object|protocol|extension|macro_rules!|sub|proc";

const KEYWORD = new RegExp(`^${MODIFIERS}(${KEYWORDS})\\b\\*?\\s*(.*)$`);
const GO_RECEIVER = /^\([^)]*\)\s*/;
const RUST_GENERICS = /^<[^{]*?>\s+(?=\S)/;
const BOUND =
  /^(?:export\s+(?:default\s+)?)?(?:const|let|var)\s+([\w$]+)\b[^=]*=\s*(?:async\s*)?(?:function\b|\([^)]*$|.*=>)/;
const METHOD = /^(?:[\w$<>[\],.*&:?]+\s+)*?[*&#]?((?:[\w$]+::)*~?[\w$]+)\s*(?:<[^()]*>)?\(([^;]*)$/;
/** One part after the other, each once: parts that take each other's place in turns are tried in every combination. */
const BODY_OPENS = /\)(?:\s|const|noexcept|override)*(?:(?::|->)[^=]*)?(?:(?:throws|where)\b.*)?\{(?:.*\})?$/;
const NOT_METHODS =
  /^(?:if|for|foreach|while|switch|return|else|catch|do|try|throw|new|await|case|with|using|lock|when|match|loop|unless|until|elif|elsif|assert|yield|delete|typeof|import|from|raise|print|echo|super|this|and|or|not|in|sizeof|defer|go|select)\b/;

/** Kinds of definitions whose members are definitions of their own. */
export const CONTAINERS: ReadonlySet<string> = new Set([
  "class",
  "interface",
  "enum",
  "struct",
  "trait",
  "impl",
  "mod",
  "module",
  "namespace",
  "record",
  "object",
  "protocol",
  "extension",
]);

/** The definition that begins on a line, if one does. `opensBody` looks at the lines below, for a name with parameters only. */
export function definitionOn(
  line: string,
  opensBody: () => boolean,
): { kind: string; name: string } | undefined {
  if (line.length > 400) return undefined;
  const keyword = KEYWORD.exec(line);
  if (keyword) return byKeyword(keyword[1] ?? "", keyword[2] ?? "");
  const bound = BOUND.exec(line)?.[1];
  if (bound !== undefined) return { kind: "function", name: bound };
  return method(line, opensBody);
}

function byKeyword(kind: string, rest: string): { kind: string; name: string } | undefined {
  const bare = rest.replace(GO_RECEIVER, "").replace(RUST_GENERICS, "");
  if (kind === "impl") return { kind, name: bare.replace(/\s*(?:\{.*|where\b.*)$/, "").trim() || kind };
  if (kind === "function" && bare.startsWith("(")) return { kind, name: "default" };
  const name = /^(?:class\s+|struct\s+)?([\w$.:!?~=-]*[\w$!?=])/.exec(bare)?.[1];
  const next = bare.slice(name?.length ?? 0).trim();
  // "type = 3" and "object.key" use the word as a name.
  if (name === undefined || (kind !== "type" && /^[=,.)]/.test(next))) return undefined;
  return { kind: goKind(kind, bare), name: name.replace(/:+$/, "") };
}

/** Go says `type Name struct`; its fields are no definitions, so it stays whole. */
function goKind(kind: string, rest: string): string {
  return kind === "struct" && rest.endsWith(";") ? "type" : kind;
}

function method(line: string, opensBody: () => boolean): { kind: string; name: string } | undefined {
  if (NOT_METHODS.test(line) || !line.includes("(") || line.endsWith(";")) return undefined;
  const found = METHOD.exec(line);
  const name = found?.[1];
  if (name === undefined || NOT_METHODS.test(name) || line.includes("=>")) return undefined;
  if (BODY_OPENS.test(line)) return { kind: "method", name };
  return /[(,)]$/.test(line) && opensBody() ? { kind: "method", name } : undefined;
}
