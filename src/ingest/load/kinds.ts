import type { DocumentFormat } from "../../spec/index.ts";
import { baseName, ending } from "./paths.ts";

/** What error messages say is read. */
export const READ_KINDS =
  "Markdown, HTML, plain text, source code, CSV, JSON, PDF, Word, Excel, PowerPoint, OpenDocument, RTF, EPUB, e-mail, Jupyter notebooks and zip archives of these";

const words = (list: string): readonly string[] => list.split(/\s+/).filter((word) => word !== "");

const code = words(`
  ts mts cts tsx js mjs cjs jsx py pyi pyw go rs java kt kts scala sc groovy gradle clj cljs cljc c h cc cpp cxx hh hpp hxx
  ino cu cuh m mm cs fs fsx fsi vb swift dart rb rake gemspec php phtml pl pm t lua r jl hs lhs elm ml mli re ex exs erl
  hrl nim zig v vh sv vhd vhdl d ada adb ads pas pp f f90 f95 f03 for cob cbl asm s lisp lsp cl el scm ss rkt tcl awk sed
  sh bash zsh fish ksh ps1 psm1 psd1 bat cmd sql psql plsql graphql gql proto thrift prisma vue svelte astro css scss sass
  less styl tf tfvars hcl nix cmake mk mak bazel bzl star sol wat coffee litcoffee hx vala cr gd glsl vert frag hlsl wgsl
  metal jsonnet libsonnet rego dhall applescript vim
`);

const text = words(`
  txt text log rst adoc asciidoc org textile wiki tex ltx bib json5 jsonc yaml yml toml
  ini cfg conf config properties env xml xsd xsl xslt rss atom svg plist srt vtt po pot ics vcf diff patch lock editorconfig
`);

const byEnding: ReadonlyMap<string, DocumentFormat> = new Map<string, DocumentFormat>([
  ...code.map((name) => [name, "code"] as const),
  ...text.map((name) => [name, "text"] as const),
  ...words("md markdown mdown mkd mkdn mdx qmd rmd").map((name) => [name, "markdown"] as const),
  ...words("html htm xhtml xht shtml").map((name) => [name, "html"] as const),
  ...words("json jsonl ndjson geojson").map((name) => [name, "json"] as const),
  ...words("csv tsv").map((name) => [name, "csv"] as const),
  ...words("docx docm dotx dotm").map((name) => [name, "docx"] as const),
  ...words("xlsx xlsm xltx").map((name) => [name, "xlsx"] as const),
  ...words("pptx pptm ppsx potx").map((name) => [name, "pptx"] as const),
  ...words("pdf odt ods odp rtf epub").map((name) => [name, name] as [string, DocumentFormat]),
  ["eml", "email"],
  ["ipynb", "notebook"],
]);

const codeNames = new Set(
  words(
    "Makefile GNUmakefile Dockerfile Containerfile Jenkinsfile Vagrantfile Rakefile Gemfile CMakeLists.txt BUILD",
  ),
);

/** Text inside, but in a wrapping that would be indexed as noise or is not told by its first bytes. By ending, for messages. */
const notYet: ReadonlyMap<string, string> = new Map([
  ["tar", "a tar archive"],
  ["mbox", "a mailbox (.mbox)"],
  ["msg", "an Outlook message (.msg)"],
  ["mht", "a web archive (.mht)"],
  ["mhtml", "a web archive (.mhtml)"],
]);

/** The format that a name promises; undefined for endings not known. */
export function formatOfName(id: string): DocumentFormat | undefined {
  return codeNames.has(baseName(id)) ? "code" : byEnding.get(ending(id));
}

/** What a file is called whose text is wrapped in a format not read yet; undefined for all others. */
export function unsupportedName(id: string): string | undefined {
  return notYet.get(ending(id));
}

/** Endings of data and markup files whose first line is no title. */
export function isData(id: string): boolean {
  const kind = ending(id);
  return (
    text.indexOf(kind) > text.indexOf("ltx") ||
    kind === "log" ||
    /^(json|jsonl|ndjson|geojson|csv|tsv)$/.test(kind)
  );
}
