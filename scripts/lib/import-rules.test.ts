import { describe, expect, test } from "vitest";
import { brokenRules } from "./import-rules.ts";
import { parseSourceFile } from "./source-files.ts";

/** Sentences for a made-up tree of files. */
function check(files: Readonly<Record<string, string>>): string[] {
  return brokenRules(Object.entries(files).map(([path, text]) => parseSourceFile(path, text)));
}

describe("import rules", () => {
  test("what the table allows passes", () => {
    expect(
      check({
        "src/spec/a.ts": "export type A = string;",
        "src/util/b.ts": 'import type { A } from "../spec/a.ts";\nexport const b: A = "";',
        "src/ingest/ingest.ts": 'import { c } from "./chunk/c.ts";\nimport { w } from "./write.ts";\nc(w);',
        "src/ingest/chunk/c.ts":
          'import { b } from "../../util/b.ts";\nexport const c = (x: unknown) => [x, b];',
        "src/ingest/write.ts": "export const w = 1;",
      }),
    ).toEqual([]);
  });

  test.each([
    [
      "types count",
      { "src/util/b.ts": 'import type { A } from "../query/a.ts";' },
      "util may not import query",
    ],
    [
      "so do type queries",
      { "src/util/b.ts": 'type A = import("../query/a.ts").A;' },
      "util may not import query",
    ],
    ["and dynamic imports", { "src/text/b.ts": 'await import("../cli/a.ts");' }, "text may not import cli"],
    ["and re-exports", { "src/spec/b.ts": 'export * from "../util/a.ts";' }, "spec may not import util"],
    ["spec has no libraries", { "src/spec/b.ts": 'import "node:fs";' }, "spec imports nothing"],
    ["steps are apart", { "src/ingest/embed.ts": 'import "./chunk/a.ts";' }, "may not import the step chunk"],
    ["adapters are apart", { "src/stores/a/x.ts": 'import "../b/x.ts";' }, "may not import the adapter b"],
    ["one file knows the SDK", { "src/models/x.ts": 'import type { T } from "ai";' }, "only src/llm/ai.ts"],
    ["config knows no command", { "src/config/x.ts": 'import "../cli/a.ts";' }, "config may not import cli"],
    [
      "a new folder is told",
      { "src/misc/x.ts": 'import "../spec/a.ts";' },
      "belongs to no folder of the table",
    ],
  ])("%s", (_, files, message) => {
    expect(check(files).join("\n")).toContain(message);
  });

  test("words in comments, strings and templates are no imports", () => {
    const text =
      '// import "../cli/a.ts"\nexport const x = `\nimport "../cli/a.ts"`;\nexport const y = \'from "ai"\';';
    expect(check({ "src/util/x.ts": text })).toEqual([]);
  });

  test("a ring is found, also one through types, and named whole", () => {
    const broken = check({
      "src/util/a.ts": 'import "./b.ts";',
      "src/util/b.ts": 'import type { C } from "./c.ts";',
      "src/util/c.ts": 'import "./a.ts";\nimport "./d.ts";\nexport type C = 1;',
      "src/util/d.ts": "export {};",
    });
    expect(broken).toEqual([
      "These files import each other in a ring: src/util/a.ts, src/util/b.ts, src/util/c.ts.",
    ]);
  });

  test("a heavy library may be loaded on first use, not with the package", () => {
    const load = { "src/index.ts": 'export * from "./open.ts";' };
    expect(check({ ...load, "src/open.ts": 'import "unpdf";' }).join()).toContain("src/open.ts loads unpdf");
    expect(
      check({ ...load, "src/open.ts": 'await import("unpdf");\nimport type { X } from "zod";' }),
    ).toEqual([]);
  });

  test("a long file or function needs a reason", () => {
    const body = "  x();\n".repeat(61);
    const long = `export function work(x: () => void) {\n${body}}\n`;
    expect(check({ "src/util/x.ts": long }).join()).toContain("src/util/x.ts:1 work has 63 lines");
    expect(check({ "src/util/x.ts": `// long because it is one list of cases\n${long}` })).toEqual([]);
    expect(check({ "src/util/y.ts": "// a line\n".repeat(401) }).join()).toContain("has 401 lines");
  });
});
