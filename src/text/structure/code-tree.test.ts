import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { readCodeTree } from "./code-tree.ts";
import { readCodeStructure } from "./index.ts";

/** The outline, each name below the names that enclose it. */
async function namesIn(path: string, text: string): Promise<readonly string[]> {
  const read = await readCodeTree(text, path);
  return (read?.outline ?? []).map(({ level, text: name }) => `${"  ".repeat(level - 1)}${name}`);
}

const samples: readonly (readonly [path: string, text: string, names: readonly string[]])[] = [
  [
    "a.ts",
    `export class Foo {
  private handle = (e: Event) => { log(e); };
  get size(): number { return 1; }
}
export const useThing = (a: number): string => {
  return String(a);
};
const limit = 3;
export default function () { return 1; }
const Memo = memo(function Inner() { return null; });`,
    ["Foo", "  handle", "  size", "useThing", "default", "Memo"],
  ],
  [
    "umd.js",
    `(function (root, factory) { root.X = factory(); })(this, function () {
  function alpha(a) { return a; }
  Foo.prototype.bar = function (c) { return c; };
  return { alpha };
});`,
    ["alpha", "Foo.prototype.bar"],
  ],
  [
    "a.py",
    `@dataclass
class A(B):
    @property
    def y(self):
        """
def not_real(): pass
        """
        return 1

if TYPE_CHECKING:
    def cond(): ...
`,
    ["A", "  y", "cond"],
  ],
  [
    "a.go",
    "package a\n\ntype Server struct {\n\tx int\n}\n\nfunc (s *Server) Start() error {\n\treturn nil\n}\n",
    ["Server", "Server.Start"],
  ],
  [
    "a.rs",
    `impl<T> fmt::Display for Point<T> {
    fn fmt(&self) -> fmt::Result { todo!() }
}
mod other;
struct S;
macro_rules! sq { ($x:expr) => { $x * $x } }`,
    ["fmt::Display for Point<T>", "  fmt", "S", "sq"],
  ],
  [
    "A.java",
    `class Store<T> {
  @Override
  public synchronized <R> Optional<R> add(
      String key,
      T value) throws IOException {
    return null;
  }
}`,
    ["Store", "  add"],
  ],
  [
    "a.cpp",
    `namespace {
template <typename T>
class Vec {
 public:
  T& operator[](size_t i) { return data_[i]; }
};
}
struct point p;
const char* const Reader::next(int a) const noexcept { return nullptr; }`,
    ["Vec", "  operator[]", "Reader::next"],
  ],
  [
    "a.cs",
    `namespace Acme.Core;
public class Orders {
  public int Count { get; set; }
  [HttpGet]
  public async Task<Order?> GetAsync(int id) {
    return await Find(id);
  }
}`,
    ["Orders", "  GetAsync"],
  ],
  [
    "Rakefile",
    "module Acme\n  class User\n    def self.find(id)\n    end\n  end\nend\n",
    ["Acme", "  User", "    find"],
  ],
  [
    "a.php",
    "<?php\nnamespace App;\nfinal class C extends D {\n  public function index(): R {\n    return 1;\n  }\n}\n",
    ["C", "  index"],
  ],
  ["a.sh", "log() {\n  cat <<EOF\nfunction not_real() {\n}\nEOF\n}\n", ["log"]],
];

describe("readCodeTree", () => {
  it.each(samples)("names the definitions of %s", async (path, text, names) => {
    expect(await namesIn(path, text)).toEqual(names);
  });

  it("begins a definition with its comments and decorators", async () => {
    const text = "x = 1\n\n# Why.\n@cache\ndef f():\n    return 1\n";
    const read = await readCodeTree(text, "a.py");
    expect(read?.blocks.map(({ start, end }) => text.slice(start, end).trim())).toEqual([
      "x = 1",
      "# Why.\n@cache\ndef f():\n    return 1",
    ]);
  });

  it("reads headers that are for C and C++", async () => {
    const guard = (brace: string) => `#ifdef __cplusplus\n${brace}\n#endif\n`;
    const text = `#ifndef A_H\n#define A_H\n${guard('extern "C" {')}\nstatic inline int add(int a, int b) {\n  return a + b;\n}\n\n${guard("}")}#endif\n`;
    expect(await namesIn("a.h", text)).toEqual(["add"]);
  });

  it("tells the language by the text where the name does not", async () => {
    expect(await namesIn("doc_1", "use std::fmt;\n\npub fn go() {\n    x();\n}\n")).toEqual(["go"]);
    expect(await readCodeTree("just some words, and a line\n", "doc_2")).toBeUndefined();
  });

  it("leaves a language without grammar, and a file that is in another language, to its indentation", async () => {
    expect(await readCodeTree("fun main() {}\n", "a.kt")).toBeUndefined();
    const objectiveC =
      "@interface A : NSObject\n- (void)go:(int)x;\n@end\n@implementation A\n- (void)go:(int)x { }\n@end\n";
    expect(await readCodeTree(objectiveC.repeat(5), "a.h")).toBeUndefined();
    expect((await readCodeStructure("fun main() {\n}\n", "a.kt")).outline).toHaveLength(1);
  });

  it("covers every text with blocks in order, whatever is in it and however its lines end", async () => {
    const lines = fc.constantFrom(
      "class A {",
      "def f(x):",
      "  return 1",
      "}",
      "",
      "function g() {",
      "/* c",
      "*/",
      "const h = () => {",
      "'",
      "😀 = 2",
    );
    const text = fc
      .tuple(fc.array(lines, { maxLength: 30 }), fc.constantFrom("\n", "\r\n", "\r"))
      .map(([some, end]) => some.join(end));
    await fc.assert(
      fc.asyncProperty(
        text,
        fc.constantFrom("a.py", "a.ts", "a.cpp", "a.rb", "a.php"),
        async (code, path) => {
          const { blocks, outline } = await readCodeStructure(code, path);
          let at = 0;
          for (const { start, end } of blocks) {
            expect(code.slice(at, start).trim()).toBe("");
            expect(end).toBeGreaterThan(start);
            at = end;
          }
          expect(code.slice(at).trim()).toBe("");
          for (const { start, end } of outline) expect(code.slice(start, end).trim()).not.toBe("");
        },
      ),
      { numRuns: 200 },
    );
  });
});
