import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, sep } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type {
  AskOptions,
  DocumentSummary,
  IngestOptions,
  IngestReport,
  Konteks,
  OpenOptions,
} from "../spec/index.ts";
import { KonteksError } from "../spec/index.ts";
import { COMMANDS, GROUPS } from "./commands.ts";
import { main } from "./main.ts";
import { answer, hit, report } from "./print/results.fixture.ts";

let cwd: string;
beforeEach(() => {
  cwd = mkdtempSync(join(tmpdir(), "konteks-main-"));
  mkdirSync(join(cwd, "docs"));
  mkdirSync(join(cwd, ".konteks"));
  writeFileSync(join(cwd, ".konteks", "index.sqlite"), "");
});
afterEach(() => rmSync(cwd, { recursive: true, force: true }));

interface Outcome {
  readonly code: number;
  readonly out: string;
  readonly err: string;
  readonly opened: readonly OpenOptions[];
}

const noModel = async () => {
  throw new KonteksError("wrong-option", "No model writes contexts here.");
};

/** Runs a command line over an engine that answers as told. */
async function cli(
  argv: readonly string[],
  engine: Partial<Konteks> = {},
  signal?: AbortSignal,
): Promise<Outcome> {
  const opened: OpenOptions[] = [];
  let [out, err] = ["", ""];
  const code = await main({
    argv,
    cwd,
    env: {},
    signal: signal ?? new AbortController().signal,
    stdout: { write: (text) => (out += text) },
    stderr: { write: (text) => (err += text) },
    open: async (options) => {
      opened.push(options);
      return { close: async () => {}, estimate: noModel, ...engine } as Konteks;
    },
  });
  return { code, out, err, opened };
}

const searching = { search: async (query: string) => ({ query, hits: [hit], trace: [] }) };
const asking = { ask: async () => answer };

describe("wrong use", () => {
  it.each([
    [["serach", "x"], "unknown command 'serach'. Did you mean search?"],
    [["search", "x", "--jsno"], "unknown option '--jsno'. Did you mean --json?"],
    [["search", "x", "--filter", "year > 2020"], "unknown option '--filter'. Did you mean --where?"],
    [["search", "x", "--top_k=5"], "Did you mean --k?"],
    [["search"], "missing required argument 'query'"],
    [["search", "x", "--k", "abc"], "--k must be a whole number from 1, not 'abc'."],
    [["search", "x", "-k"], "argument missing"],
    [["ask"], "There is no question. Type it, behind the folder that is to answer it: `konteks ask ./docs"],
    [["ask", "docs"], 'Type it after the folder: `konteks ask docs "your question"`'],
    [["ask", "docs", " "], "The question is empty"],
    [["show", "a", "b"], "but got 2: a, b. See `konteks show --help`."],
    [["search", " "], "The query is empty. Type what to look for."],
    [["eval", "laddr"], "unknown command 'laddr'. Did you mean ladder? See `konteks eval --help`."],
    [["-v"], "unknown option '-v'. Did you mean --version? See `konteks --help`."],
    [["init", "--format", "yaml"], "--format must be one of ts, json"],
  ])("%j is told in one line and ends with 2", async (argv, message) => {
    const { code, out, err } = await cli(argv);
    expect(err).toContain(message);
    expect(err).toMatch(/^konteks: [^\n]*\n$/);
    expect({ code, out }).toEqual({ code: 2, out: "" });
  });

  it("is told as JSON with --json", async () => {
    const { err, out } = await cli(["search", "x", "--json", "--k", "abc"]);
    expect(JSON.parse(err)).toMatchObject({ error: { code: "wrong-option", facts: { option: "--k" } } });
    expect(out).toBe("");
  });
});

describe("help", () => {
  it.each(COMMANDS.map(({ name }) => name))(
    "of %s shows an example that begins with the command",
    async (name) => {
      const { code, out, err } = await cli([...name.split(" "), "--help"]);
      expect(out).toMatch(new RegExp(`Examples:\\n  konteks ${name}`));
      expect(out).toContain("--json");
      expect({ code, err }).toEqual({ code: 0, err: "" });
    },
  );

  it.each(Object.keys(GROUPS))("of the group %s shows an example of each of its commands", async (group) => {
    const { out } = await cli([group]);
    for (const { name, examples } of COMMANDS.filter((command) => command.name.startsWith(`${group} `)))
      expect(out.split("Examples:")[1]).toContain(
        `  konteks ${name}${examples[0]?.slice(`konteks ${name}`.length)}\n`,
      );
  });

  it("is shown when nothing is typed, and names every command", async () => {
    const { code, out } = await cli([]);
    expect(code).toBe(0);
    for (const { name } of COMMANDS) expect(out).toContain(`  ${name.split(" ")[0]} `);
    expect((await cli(["--version"])).out).toMatch(/^\d+\.\d+\.\d+\n$/);
  });
});

describe("ask", () => {
  it("takes a first word that is a folder as the folder, and keeps the index in it", async () => {
    const ingested: string[] = [];
    const ingest = async (source: unknown) => {
      ingested.push(String(source));
      return report;
    };
    const { code, out, opened } = await cli(["ask", "docs", "how", "much?"], { ingest, ...asking });
    expect(ingested).toEqual([join(cwd, "docs")]);
    expect(opened.at(-1)?.path).toBe(join(cwd, "docs", ".konteks"));
    expect(out).toContain("Extracts, word for word");
    expect(code).toBe(0);
  });

  it("without a folder asks the index that is there, without writing to it", async () => {
    const { opened } = await cli(["ask", "how much?", "--model", "p:m"], asking);
    expect(opened[0]).toMatchObject({ path: join(cwd, ".konteks"), readOnly: true, model: "p:m" });
  });

  it("of a file keeps to that file, with the index beside it", async () => {
    const file = join(cwd, "docs", "a.md");
    writeFileSync(file, "A.");
    const asked: (AskOptions | undefined)[] = [];
    const ask = async (_: string, options?: AskOptions) => {
      asked.push(options);
      return answer;
    };
    const { opened } = await cli(["ask", "docs/a.md", "what?"], { ask, ingest: async () => report });
    expect(opened.at(-1)?.path).toBe(join(cwd, "docs", ".konteks"));
    expect(asked[0]?.filter).toEqual({ field: "uri", op: "eq", value: file });
  });

  it("never takes a mistyped folder for a word of the question", async () => {
    for (const argv of [
      ["ask", "./dosc", "how much?"],
      ["ask", "dosc", "how much?"],
      ["ask", "/no/where", "why"],
    ]) {
      const { code, err } = await cli(argv, asking);
      expect(err).toContain(`There is no file or folder ${argv[1]}.`);
      expect(code).toBe(1);
    }
    writeFileSync(join(cwd, "a.md"), "");
    writeFileSync(join(cwd, "b.md"), "");
    const several = await cli(["ask", "a.md", "b.md", "how much?"], asking);
    expect(several.err).toContain('"b.md" is a file as well; one file or folder is asked at a time.');
    expect(several.code).toBe(2);
    expect((await cli(["ask", "dosc", "how much?"], asking)).err).toContain('Did you mean "docs"?');
    expect((await cli(["ask", "how", "much"], asking)).code).toBe(0);
  });

  it("answers in spite of a file that failed, and names it when it is news", async () => {
    const failed = [{ id: "x.pdf", reason: "encrypted" }];
    const ingest = async () => ({ ...report, added: 1, failed });
    const { code, out, err } = await cli(["ask", "docs", "how much?", "--quiet"], { ingest, ...asking });
    expect(out).toContain("Revenue grew by 3 %");
    expect(err).toContain("x.pdf: encrypted");
    expect(code).toBe(0);
    const old = async () => ({ ...report, added: 0, replaced: 0, deleted: 0, failed });
    const again = await cli(["ask", "docs", "how much?"], { ingest: old, ...asking });
    expect(again.err).toContain(
      "Not whole in the index: 1 file. It is named by: konteks ingest docs --index docs/.konteks",
    );
    expect(again.code).toBe(0);
    const known = [{ id: "x.pdf", reason: "encrypted", unchanged: true as const }];
    const refreshed = async () => ({ ...report, added: 0, replaced: 0, deleted: 1, failed: known });
    const { err: short } = await cli(["ask", "docs", "how much?"], { ingest: refreshed, ...asking });
    expect(short).toContain("1 deleted.\nNot whole in the index: 1 file.");
    expect(short).not.toContain("encrypted");
    const nothing = async () => ({ ...report, added: 0, replaced: 0, unchanged: 0, failed });
    expect((await cli(["ask", "docs", "how much?"], { ingest: nothing, ...asking })).code).toBe(1);
  });

  it("uses the index of the current folder when that holds files of the folder, and keeps to them", async () => {
    const held = [join(cwd, "docs", "a.md"), join(cwd, "other", "b.md")].map((uri) => ({ uri }));
    const documents = async () => held as unknown as readonly DocumentSummary[];
    const asked: (AskOptions | undefined)[] = [];
    const ask = async (_: string, options?: AskOptions) => {
      asked.push(options);
      return answer;
    };
    const engine = { ask, documents, ingest: async () => report };
    const { opened, err } = await cli(["ask", "docs", "what?"], engine);
    expect(opened.at(-1)?.path).toBe(join(cwd, ".konteks"));
    expect(err).toContain("Using the index in .konteks, which holds docs already.");
    expect(asked[0]?.filter).toEqual({ field: "uri", op: "prefix", value: join(cwd, "docs") + sep });
    const rebuilt = await cli(["ask", "docs", "what?", "--rebuild"], engine);
    expect(rebuilt.opened.at(-1)?.path).toBe(join(cwd, "docs", ".konteks"));
  });
});

describe("ingest", () => {
  const flags = [
    "--force",
    "--rebuild",
    "--no-gitignore",
    "--meta",
    "year=2025",
    "--meta",
    "team=a",
    "--chunk-size",
    "400",
  ];

  it("hands flags to the engine", async () => {
    const seen: IngestOptions[] = [];
    const ingest = async (_: unknown, options: IngestOptions = {}) => {
      seen.push(options);
      return report;
    };
    const { opened } = await cli(["ingest", "docs", ...flags], { ingest });
    expect(opened[0]).toMatchObject({ rebuild: true, chunk: { size: 400 } });
    expect(seen[0]).toMatchObject({ force: true, gitignore: false, metadata: { year: 2025, team: "a" } });
  });

  it("adds the reports of several paths up, and ends with 1 when a chunk is incomplete", async () => {
    const incomplete = [{ chunkId: "a#1", reason: "429" }];
    const ingest = async (): Promise<IngestReport> => ({ ...report, incomplete });
    const { code, out } = await cli(["ingest", "docs", ".", "--json"], { ingest });
    expect(JSON.parse(out)).toMatchObject({
      added: 6,
      chunks: 82,
      incomplete: [...incomplete, ...incomplete],
    });
    expect(code).toBe(1);
  });

  it("says after Ctrl-C how far it came and how to go on", async () => {
    const controller = new AbortController();
    const ingest = async (): Promise<IngestReport> => {
      controller.abort();
      throw new KonteksError("aborted", "Ingest was stopped.");
    };
    const status = async () =>
      ({ counts: { documents: 7 }, contextStore: { batches: 0 } }) as Awaited<ReturnType<Konteks["status"]>>;
    const { code, err } = await cli(["ingest", "docs"], { ingest, status }, controller.signal);
    expect(err).toBe("konteks: stopped; 7 documents are in the index; run the same command to go on.\n");
    expect(code).toBe(130);
  });
});

describe("the index", () => {
  it("is the only one near when it is not here, and asked for when there are several", async () => {
    rmSync(join(cwd, ".konteks"), { recursive: true });
    const make = (folder: string) => {
      mkdirSync(join(cwd, folder, ".konteks"), { recursive: true });
      writeFileSync(join(cwd, folder, ".konteks", "index.sqlite"), "");
    };
    make("docs");
    const only = await cli(["search", "x"], searching);
    expect(only.err).toContain("No index in this folder; using the one in docs/.konteks.");
    expect(only.opened[0]?.path).toBe(join(cwd, "docs", ".konteks"));
    const ingested = await cli(["ingest", "docs"], { ingest: async () => report });
    expect(ingested.opened[0]?.path).toBe(join(cwd, ".konteks"));
    expect(ingested.err).toContain("There is another index in docs/.konteks, which `konteks ask docs` uses.");
    make("more");
    const { code, err } = await cli(["search", "x"], searching);
    expect(err).toContain(
      "There is one in ./docs/.konteks and ./more/.konteks: add `--index ./docs/.konteks`",
    );
    expect(code).toBe(1);
    expect((await cli(["search", "x", "--index", "docs/.konteks"], searching)).code).toBe(0);
  });

  it("is closed after an error of the engine, which is told in one line", async () => {
    let closed = 0;
    const search = async () => {
      throw new Error("boom");
    };
    const { code, err } = await cli(["search", "x"], { search, close: async () => void closed++ });
    expect(err).toBe(
      "konteks: something went wrong that should not: boom. Run again with --debug to see where.\n",
    );
    expect({ code, closed }).toEqual({ code: 1, closed: 1 });
  });

  it("that is a file is told as such", async () => {
    writeFileSync(join(cwd, "file"), "x");
    for (const argv of [
      ["search", "x"],
      ["ingest", "docs"],
    ]) {
      expect((await cli([...argv, "--index", "file"])).err).toContain("is a file; an index is a folder");
    }
  });
});

it("deletes all documents or none, and names every one that it did not find", async () => {
  const documents = async () => ["report.md", "a.md"].map((id) => ({ id }) as DocumentSummary);
  const deleted: string[] = [];
  const remove = async (id: string) => deleted.push(id) > 0;
  const { code, out, err } = await cli(["delete", "a.md", "reprot.md"], { delete: remove, documents });
  expect(out).toBe("");
  expect(err).toBe(
    'konteks: There is no document "reprot.md" in the index. Did you mean "report.md"?\n' +
      "konteks: Nothing was deleted.\n",
  );
  expect(code).toBe(1);
  expect(deleted).toEqual([]);
  const both = await cli(["delete", "a.md", "report.md", "a.md"], { delete: remove, documents });
  expect(both).toMatchObject({ code: 0, out: "Deleted 2 documents.\n", err: "" });
  expect(deleted).toEqual(["a.md", "report.md"]);
});

it("groups the options of a long help by what they are about, those of the command first", async () => {
  const headings = async (...argv: string[]) => (await cli([...argv, "--help"])).out.match(/^\S.*:$/gm);
  expect(await headings("search")).toEqual([
    "Options:",
    "Vectors:",
    "Search:",
    "Every command:",
    "Examples:",
  ]);
  expect(await headings("show")).toEqual(["Options:", "Examples:"]);
  const { out } = await cli(["search", "--help"]);
  for (const flag of ["--where", "--explain", "-k, --k"])
    expect(out.indexOf(`  ${flag}`), flag).toBeLessThan(out.indexOf("Vectors:"));
});
