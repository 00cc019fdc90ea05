import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { readStructure } from "./index.ts";

const slices = (text: string, format: "markdown" | "code" | "text", path?: string): string[] =>
  readStructure(text, format, path === undefined ? {} : { path }).blocks.map(
    (block) => `${block.kind}:${text.slice(block.start, block.end)}`,
  );

const outline = (text: string, format: "markdown" | "code" | "text"): string[] =>
  readStructure(text, format).outline.map((heading) => `${heading.level} ${heading.text}`);

describe("markdown", () => {
  test("headings are plain words, ATX and setext", () => {
    const text =
      "## C#\n\nA *B* `c`\n===\n\n### Use {/*use*/}\n\n# The [API](x) {#api}\n\n#### closed ####\n";
    expect(outline(text, "markdown")).toEqual(["2 C#", "1 A B c", "3 Use", "1 The API", "4 closed"]);
  });

  test("a hash inside a fence is no heading, whatever closes the fence", () => {
    const text = "~~~~\n# no\n~~~\n~~~~~\n\n````md\n```\n# no\n```\n````\n\n# yes\n\n```\n# unclosed";
    expect(outline(text, "markdown")).toEqual(["1 yes"]);
    expect(slices(text, "markdown").map((slice) => slice.split(":")[0])).toEqual([
      "code",
      "code",
      "heading",
      "code",
    ]);
  });

  test("a table gives its header with the delimiter row, and its rows", () => {
    const text = "| a | b |\n|---|---|\n| 1 | `x|y` |\n| 3 | 4 |\n";
    const [table] = readStructure(text, "markdown").blocks;
    expect(text.slice(table?.header?.start, table?.header?.end)).toBe("| a | b |\n|---|---|");
    expect(table?.parts?.map((row) => text.slice(row.start, row.end))).toEqual([
      "| 1 | `x|y` |",
      "| 3 | 4 |",
    ]);
  });

  test("nested list items stand by themselves, with their depth", () => {
    const text = "- a\n  - b\n\n  c\n- d\n";
    expect(slices(text, "markdown")).toEqual([
      "list-item:- a",
      "list-item:- b",
      "list-item:c",
      "list-item:- d",
    ]);
    expect(readStructure(text, "markdown").blocks.map((block) => block.level)).toEqual([1, 2, 1, 1]);
  });

  test("front matter becomes metadata; nested keys are joined, days stay days", () => {
    const text =
      "---\ntitle: A\ndate: 2025-03-31\nat: 2025-03-31T10:00:00Z\norg: {name: X, tags: [a, 1]}\n---\n# H\n";
    const { metadata, blocks } = readStructure(text, "markdown");
    expect(metadata).toEqual({
      title: "A",
      date: "2025-03-31",
      at: "2025-03-31T10:00:00.000Z",
      "org.name": "X",
      "org.tags": ["a", "1"],
    });
    expect(blocks.map((block) => block.kind)).toEqual(["metadata", "heading"]);
  });

  test("front matter that cannot be read is named and stays in the text", () => {
    const bad = readStructure("---\na: [\n---\nText\n", "markdown");
    expect(bad.warnings[0]).toMatch(/not valid YAML/);
    expect(bad.blocks[0]?.kind).toBe("code");
    expect(readStructure("+++\na = \n+++\nText\n", "markdown").warnings[0]).toMatch(/not valid TOML/);
  });

  test("TOML front matter is metadata, as sites of Hugo and Zola write it", () => {
    const toml = `title = "A # of things"
date = 2024-03-05
at = 2024-03-05T10:30:00+02:00
tags = ["a", "b"]
[params]
draft = false`;
    const { metadata, blocks, warnings } = readStructure(`+++\n${toml}\n+++\n\n# H\n`, "markdown");
    expect(warnings).toEqual([]);
    expect(metadata).toEqual({
      title: "A # of things",
      date: "2024-03-05",
      at: "2024-03-05T10:30:00.000+02:00",
      tags: ["a", "b"],
      "params.draft": false,
    });
    expect(blocks.map(({ kind }) => kind)).toEqual(["metadata", "heading"]);
  });

  test("a byte order mark and CRLF do not shift offsets", () => {
    expect(slices("\ufeff# A\r\n\r\nb\tc\r\n\r\n\t- d", "markdown")).toEqual([
      "heading:# A",
      "paragraph:b\tc",
      "code:- d",
    ]);
  });

  test("badges are no words of a heading, unless there are no others", () => {
    const outline = (text: string) => readStructure(text, "markdown").outline.map((each) => each.text);
    expect(outline("# entities [![npm](https://x/a.svg)](https://x) ![ci](b.svg)")).toEqual(["entities"]);
    expect(outline("# safe-buffer [![travis][t-image]][t-url]\n\n[t-image]: x\n[t-url]: y")).toEqual([
      "safe-buffer",
    ]);
    expect(outline("# ![Vue](logo.svg)")).toEqual(["Vue"]);
  });

  test("reStructuredText has headings underlined, in the order in which their signs come", () => {
    const text =
      "=====================\n:mod:`guide` ``here``\n=====================\n\nIntro text.\n\nInstall\n-------\nRun it.\n\nLinux\n~~~~~\n\nUse\n---\n\nName  Age\n====  ===\n\nno\n--";
    const { outline, blocks } = readStructure(text, "text", { path: "a/guide.rst" });
    expect(outline.map(({ level, text: words }) => [level, words])).toEqual([
      [1, "guide here"],
      [2, "Install"],
      [3, "Linux"],
      [2, "Use"],
    ]);
    expect(blocks.map(({ start, end }) => text.slice(start, end))).toContain("Run it.");
    expect(readStructure(text, "text", { path: "a/guide.txt" }).outline).toEqual([]);
  });

  test("deep nesting is survived", () => {
    const text = `${"> ".repeat(3000)}x\n\n${"- ".repeat(500)}y`;
    expect(readStructure(text, "markdown").blocks.at(-1)?.end).toBe(text.length);
  });
});

describe("code", () => {
  test("definitions take their comments and decorators, and members stand by themselves", () => {
    const python = `import os\n\n@cache\ndef load(path):\n    """Reads.\nno indent\n    """\n    return 1\n\n\nclass A(B):\n    x = 1\n\n    # why\n    def go(self):\n        pass\n\n    def stop(self):\n        pass\nprint(1)\n`;
    expect(slices(python, "code", "a.py")).toEqual([
      "code:import os",
      'definition:@cache\ndef load(path):\n    """Reads.\nno indent\n    """\n    return 1',
      "definition:class A(B):\n    x = 1",
      "definition:# why\n    def go(self):\n        pass",
      "definition:def stop(self):\n        pass",
      "code:print(1)",
    ]);
    expect(outline(python, "code")).toEqual(["1 load", "1 A", "2 go", "2 stop"]);
  });

  test.each([
    [
      "TypeScript",
      "export class A {\n  async b<T>(\n    c: T,\n  ): Promise<T> {\n    if (c) {\n    }\n    call(c, () => {\n    });\n  }\n}\n\nexport const f = (x: number) => {\n};\n",
      ["1 A", "2 b", "1 f"],
    ],
    [
      "Go",
      "package x\n\nfunc (s *Server) Run(a int) error {\n\tfor {\n\t}\n}\n\ntype T struct {\n\tA int\n}\n",
      ["1 Run", "1 T"],
    ],
    [
      "Rust",
      "pub struct P<'a> {\n    x: &'a str,\n}\n\nimpl<'a> Show for P<'a> {\n    pub fn show(&self) -> u8 {\n        1\n    }\n}\n",
      ["1 P", "1 Show for P<'a>", "2 show"],
    ],
    [
      "Java",
      'public class A extends B {\n    @Override\n    public String toString() {\n        return "";\n    }\n}\n',
      ["1 A", "2 toString"],
    ],
    [
      "C#",
      "namespace N\n{\n    public class A\n    {\n        public int Get(int x)\n        {\n            return x;\n        }\n    }\n}\n",
      ["1 N", "2 A", "3 Get"],
    ],
    [
      "C++",
      "static int add(int a, int b)\n{\n  return a + b;\n}\n\nvoid A::run() const {\n}\n",
      ["1 add", "1 A::run"],
    ],
    ["Ruby", "module M\n  class A\n    def go?\n      1\n    end\n  end\nend\n", ["1 M", "2 A", "3 go?"]],
    ["PHP", "<?php\nfinal class A {\n    public function go($x) {\n    }\n}\n", ["1 A", "2 go"]],
  ])("%s: outline by nesting", (_, text, expected) => {
    expect(outline(text, "code")).toEqual(expected);
    expect(slices(text, "code").every((slice) => !/^\w+:[})]/.test(slice))).toBe(true);
  });

  test("a line of many types or clauses is read in no time", () => {
    const lines = [
      `compose(f) ${"-> a ".repeat(60)}`,
      `find(f) ${"where throws ".repeat(25)}`,
      `f(a) ${": b ".repeat(90)}`,
    ];
    const begun = performance.now();
    for (const line of lines) readStructure(`${line}\n  x\n`, "code", { path: "a.elm" });
    expect(performance.now() - begun).toBeLessThan(1_000);
  });
});

describe("plain text", () => {
  test("headings only where they cannot be mistaken", () => {
    const text =
      "SUMMARY OF TERMS\n\n1. DEFINITIONS\n\n1. buy milk\n\nPasal 5\nSetiap orang.\n\nĐiều 5. Quyền\n\n第三章 附则\n\nChapter 3 shows that it works.\n\nOK\n\nSection 2 of the law\nsays no.";
    expect(outline(text, "text")).toEqual([
      "1 SUMMARY OF TERMS",
      "1 1. DEFINITIONS",
      "3 Pasal 5",
      "3 Điều 5. Quyền",
      "1 第三章 附则",
    ]);
  });

  test("CRLF is one line end: lines of a paragraph stay together, and none of them is a heading by standing alone", () => {
    const lines = "First line of it\nMANY CAPITALS HERE\nand the rest.\n\n\nNext\nparagraph.\n";
    for (const end of ["\n", "\r\n", "\r"]) {
      const text = lines.replaceAll("\n", end);
      expect(slices(text, "text").map((slice) => slice.replaceAll(end, "\n"))).toEqual([
        "paragraph:First line of it\nMANY CAPITALS HERE\nand the rest.",
        "paragraph:Next\nparagraph.",
      ]);
    }
  });

  test("millions of blank lines are one gap", () => {
    const text = `One${"\n".repeat(6_000_000)}Two`;
    expect(slices(text, "text")).toEqual(["paragraph:One", "paragraph:Two"]);
  });
});

describe("any text", () => {
  const piece = fc.constantFrom(
    ...'a| |\n|\n\n|\r\n|\r|\t|# |## b|- |1. |> |```|~~~|\\|---|é|😀|👩‍👩‍👧|e\u0301|\ud83d|\0|\ufeff|ก|中文。|{|}|def f():|class A {|/*|*/|"""|`|<div>|===|[a]: b|[^1]: c|*x*|   '.split(
      "|",
    ),
    "|",
    "|--|",
    "| a | b |\n|---|---|\n",
  );
  const ugly = fc.array(piece, { maxLength: 60 }).map((parts) => parts.join(""));

  test.each(["markdown", "code", "text"] as const)(
    "%s: blocks are in order, trimmed, and leave only blanks between",
    (format) => {
      fc.assert(
        fc.property(ugly, (text) => {
          const { blocks, outline: headings } = readStructure(text, format);
          let at = 0;
          for (const { start, end, header, parts = [] } of blocks) {
            expect(text.slice(at, start).trim()).toBe("");
            expect(start < end && end <= text.length).toBe(true);
            expect(text.slice(start, end)).toBe(text.slice(start, end).trim());
            for (const part of header ? [header, ...parts] : parts)
              expect(part.start >= start && part.end <= end).toBe(true);
            at = end;
          }
          expect(text.slice(at).trim()).toBe("");
          expect(headings.every((heading) => heading.text !== "" && heading.end <= text.length)).toBe(true);
        }),
        { numRuns: 500 },
      );
    },
  );
});
