import { type ChildProcess, spawn } from "node:child_process";
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { openSqliteStore } from "../stores/sqlite/index.ts";
import { main } from "./main.ts";

const BIN = fileURLToPath(new URL("./bin.ts", import.meta.url));

let cwd: string;
beforeEach(() => {
  cwd = mkdtempSync(join(tmpdir(), "konteks-cli-"));
  mkdirSync(join(cwd, "docs"));
  writeFileSync(join(cwd, "docs", "lease.md"), LEASE);
  writeFileSync(join(cwd, "docs", "garden.md"), GARDEN);
});
afterEach(() => {
  chmodSync(join(cwd, "docs"), 0o755);
  rmSync(cwd, { recursive: true, force: true });
});

const LEASE = `# Lease of the workshop

## Notice

The notice period is ninety days, in writing.

## Rent

The rent is 1,200 euros a month.
`;
const GARDEN = "# Garden\n\nTulips are planted in October. They flower in April.\n";

interface Outcome {
  readonly code: number | null;
  readonly out: string;
  readonly err: string;
}

interface How {
  readonly env?: Record<string, string>;
  readonly node?: readonly string[];
  readonly uid?: number;
  readonly started?: (child: ChildProcess) => void;
}

/** Runs the command line in the temporary folder with an empty environment, in this process: a start costs half a second. */
async function konteks(args: readonly string[], { env = {} }: Pick<How, "env"> = {}): Promise<Outcome> {
  let [out, err] = ["", ""];
  const code = await main({
    argv: args,
    cwd,
    env: { HOME: cwd, ...env },
    signal: new AbortController().signal,
    stdout: { write: (text) => (out += text) },
    stderr: { write: (text) => (err += text) },
  });
  return { code, out, err };
}

/** The same in a process of its own. */
function spawned(args: readonly string[], how: How = {}): Promise<Outcome> {
  const env = { PATH: process.env.PATH ?? "", HOME: cwd, ...how.env };
  const user = how.uid === undefined ? {} : { uid: how.uid };
  const child = spawn(process.execPath, [...(how.node ?? []), BIN, ...args], { cwd, env, ...user });
  let [out, err] = ["", ""];
  child.stdout.on("data", (data) => {
    out += data;
  });
  child.stderr.on("data", (data) => {
    err += data;
  });
  how.started?.(child);
  return new Promise((resolve) => child.on("close", (code) => resolve({ code, out, err })));
}

const json = async (args: readonly string[]) => JSON.parse((await konteks([...args, "--json"])).out);

describe("the first five minutes", () => {
  it("asks a folder, asks again without news, and finds the index again", async () => {
    const first = await spawned(["ask", "./docs", "How long is the notice period?"]);
    expect(first.out).toContain("The notice period is ninety days");
    expect(first.out).toContain("no model was asked");
    expect(first.out).toMatch(/\[1\] Lease of the workshop\n {4}docs\/lease\.md:\d/);
    expect(first.err).toContain("2 added");
    expect(first.code).toBe(0);
    const second = await spawned(["ask", "./docs", "How long is the notice period?"]);
    expect(second).toEqual({ ...first, err: "" });
    const other = await konteks(["ask", "When are tulips planted?", "--index", "docs/.konteks"]);
    expect(other.out).toContain("Tulips are planted in October.");
  });

  it("ingests, searches, shows and deletes", async () => {
    const ingest = await konteks(["ingest", "docs"]);
    expect(ingest.out).toMatch(/^2 added in /);
    expect(ingest.err).toContain('Next: konteks ask "your question"');
    const search = await konteks(["search", "tulips", "-k", "1"]);
    expect(search.out).toMatch(/^ 1 {2}Garden\n {4}docs\/garden\.md:\d.*\n {4}weighted .*bm25 .*#1 in text/);
    expect((await konteks(["documents"])).out).toMatch(/garden\.md.*\nlease\.md/);
    const show = await konteks(["show", "lease.md"]);
    expect(show.out).toContain("context (structural, not source)");
    expect(show.out).toContain("The rent is 1,200 euros a month.");
    for (const place of ["docs/lease.md", "./docs/lease.md:3", "docs/lease.md"])
      expect((await konteks(["show", place])).out).toBe(show.out);
    expect(await konteks(["delete", "docs/garden.md"])).toEqual({
      code: 0,
      out: "Deleted 1 document.\n",
      err: "",
    });
    expect((await konteks(["show", "gardn.md"])).err).toContain('There is no document "gardn.md"');
  });

  it("follows the folder: the same command twice, a changed file, a file that is gone", async () => {
    await konteks(["ingest", "docs"]);
    expect(await json(["ingest", "docs"])).toMatchObject({ added: 0, unchanged: 2, chunks: 0 });
    writeFileSync(join(cwd, "docs", "lease.md"), LEASE.replace("ninety", "sixty"));
    rmSync(join(cwd, "docs", "garden.md"));
    expect(await json(["ingest", "docs"])).toMatchObject({ replaced: 1, deleted: 1 });
    expect((await konteks(["ask", "How long is the notice period?"])).out).toContain("sixty days");
  });
});

describe("--json", () => {
  it("prints one value of a stable shape for every command, and nothing else", async () => {
    const asked = await json(["ask", "docs", "How long is the notice period?"]);
    expect(asked).toMatchObject({
      kind: "extract",
      ingest: { added: 2 },
      index: join(cwd, "docs", ".konteks"),
    });
    const [citation] = asked.citations;
    expect(LEASE.slice(citation.start, citation.end)).toBe(citation.quote);
    await konteks(["ingest", "docs"]);
    const found = await json(["search", "rent"]);
    expect(found.hits[0]).toMatchObject({ documentId: "lease.md", rank: 1, scoreKind: "weighted" });
    expect((await json(["documents"])).documents).toHaveLength(2);
    expect(await json(["show", "lease.md"])).toMatchObject({ document: { id: "lease.md", text: LEASE } });
    expect(await json(["show", found.hits[0].chunkId])).toMatchObject({
      chunk: { id: found.hits[0].chunkId },
    });
    expect(await json(["delete", "x", "garden.md"])).toMatchObject({ deleted: [], missing: ["x"] });
    expect(await json(["delete", "garden.md"])).toMatchObject({ deleted: ["garden.md"], missing: [] });
    expect(await json(["status"])).toMatchObject({ exists: true, counts: { documents: 1 } });
  });

  it("tells an error as JSON on stderr", async () => {
    const { code, out, err } = await konteks(["search", "x", "--json"]);
    expect(JSON.parse(err)).toMatchObject({ error: { code: "not-an-index", facts: { found: [] } } });
    expect({ code, out }).toEqual({ code: 1, out: "" });
  });
});

describe("configuration", () => {
  it("is written by init, read from a folder below, and shown with its origins, never with keys", async () => {
    expect((await konteks(["init"])).err).toContain("konteks.config.ts");
    expect((await konteks(["init"])).code).toBe(2);
    expect((await konteks(["init", "--force", "--format", "json"])).code).toBe(0);
    rmSync(join(cwd, "konteks.config.json"));
    const env = { KONTEKS_MODE: "text", OPENAI_API_KEY: "sk-very-secret", KONTEKS_MODLE: "x" };
    await konteks(["ingest", "docs"]);
    const { out, err, code } = await konteks(["status", "--k", "7"], { env });
    expect(out).toMatch(/search\.mode +text +environment KONTEKS_MODE/);
    expect(out).toMatch(/search\.k +7 +flag --k/);
    expect(out).toMatch(/embedding +lexical\S* +saved with the index/);
    expect(out).toMatch(/vector side +lexical/);
    expect(out).toContain("OPENAI_API_KEY: set");
    expect(out).toContain("ANTHROPIC_API_KEY: not set");
    expect(out).toContain("Did you mean KONTEKS_MODEL?");
    expect(out + readFileSync(join(cwd, ".konteks", "index.sqlite"), "latin1")).not.toContain(
      "sk-very-secret",
    );
    expect(err).toMatch(/^Finds what is said in other words, on this machine: .+\n$/);
    expect(code).toBe(0);
  });

  it("of another kind than the index was made with is an error that names both", async () => {
    await konteks(["ingest", "docs"]);
    const { code, err } = await konteks(["ingest", "docs", "--chunk-size", "300"]);
    expect(err).toContain("300");
    expect(err).toContain("--rebuild");
    expect(code).toBe(1);
    expect((await konteks(["ingest", "docs", "--chunk-size", "300", "--rebuild"])).code).toBe(0);
    expect((await konteks(["search", "rent"])).code).toBe(0);
  });
});

describe("errors", () => {
  const failing = async (args: readonly string[], how?: How) => {
    const { code, out, err } = how === undefined ? await konteks(args) : await spawned(args, how);
    expect({ code, out }).toEqual({ code: 1, out: "" });
    expect(err).toMatch(/^konteks: [^\n]+\n$/);
    return err;
  };

  it("tell a missing folder, an empty one, and a folder that is no index", async () => {
    mkdirSync(join(cwd, "empty"));
    expect(await failing(["ingest", "dcos"])).toContain('Did you mean "docs"?');
    expect(await failing(["ingest", "empty"])).toContain("empty");
    expect(await failing(["search", "x", "--index", "docs"])).toContain("There is no index in");
    mkdirSync(join(cwd, "bad"));
    writeFileSync(join(cwd, "bad", "index.sqlite"), "this is no database ".repeat(100));
    expect(await failing(["search", "x", "--index", "bad"])).toContain("bad");
  });

  it("tell a key that is missing and a model nobody knows", async () => {
    await konteks(["ingest", "docs"]);
    expect(await failing(["ask", "rent?", "--model", "anthropic:claude-haiku-4-5"])).toContain(
      "ANTHROPIC_API_KEY",
    );
    expect(await failing(["ask", "rent?", "--model", "nosuch:thing"])).toContain("nosuch");
  });

  it("tell who holds the index", async () => {
    await konteks(["ingest", "docs"]);
    const store = await openSqliteStore({ path: join(cwd, ".konteks", "index.sqlite") });
    await store.exclusively("ingest", async () => {
      expect(await failing(["ingest", "docs"], {})).toContain(String(process.pid));
      expect((await konteks(["search", "rent"])).code).toBe(0);
    });
    await store.close();
  });

  it.runIf(process.getuid?.() === 0 || process.platform !== "win32")(
    "name a file that cannot be read, keep the rest, and offer another place for the index",
    async () => {
      const uid = process.getuid?.() === 0 ? 65_534 : undefined;
      const how = uid === undefined ? {} : { uid };
      chmodSync(cwd, 0o755);
      chmodSync(join(cwd, "docs", "garden.md"), 0o000);
      chmodSync(join(cwd, "docs"), 0o555);
      expect(await failing(["ask", "docs", "notice period?"], how)).toContain(
        "--index ~/.cache/konteks/docs",
      );
      const elsewhere = mkdtempSync(join(tmpdir(), "konteks-elsewhere-"));
      chmodSync(elsewhere, 0o777);
      const { code, out, err } = await spawned(
        ["ask", "docs", "notice period?", "--index", join(elsewhere, "kb")],
        how,
      );
      rmSync(elsewhere, { recursive: true });
      expect(out).toContain("ninety days");
      expect(err).toContain("garden.md");
      expect(code).toBe(0);
    },
  );
});

describe("the process", () => {
  it("stops cleanly at Ctrl-C in the middle of a model call", async () => {
    let child: ChildProcess | undefined;
    let stopped = false;
    // Calls under way are let finish; these break off without an answer.
    const server = createServer((_, response) => {
      if (!stopped) child?.kill("SIGINT");
      stopped = true;
      setTimeout(() => response.destroy(), 300);
    });
    await new Promise<void>((ready) => server.listen(0, "127.0.0.1", ready));
    const env = {
      OPENAI_COMPATIBLE_BASE_URL: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    };
    const { code, err } = await spawned(["ingest", "docs", "--context-model", "openai-compatible:any"], {
      env,
      started: (started) => {
        child = started;
      },
    });
    server.closeAllConnections();
    server.close();
    expect(err).toMatch(/konteks: stopped; 0 documents are in the index; run the same command to go on\.\n$/);
    expect(code).toBe(130);
    expect((await konteks(["status"])).code).toBe(0);
  });

  it("ends quietly when the pipe behind it closes", async () => {
    await konteks(["ingest", "docs"]);
    const { code, err } = await spawned(["show", "lease.md"], {
      started: (child) => child.stdout?.destroy(),
    });
    expect({ code, err }).toEqual({ code: 0, err: "" });
  });

  it("says on an old Node what is needed", async () => {
    const old = 'Object.defineProperty(process,"versions",{value:{...process.versions,node:"20.1.0"}})';
    const node = ["--import", `data:text/javascript,${encodeURIComponent(old)}`];
    const { code, err } = await spawned(["ask", "how long, Ann's?"], { node });
    expect(err).toMatch(
      /^konteks needs Node 22\.18 or newer; this is 20\.1\.0\. .*npx -p node@24 -p konteks konteks ask 'how long, Ann'\\''s\?'`\.\n$/,
    );
    expect(code).toBe(1);
  });
});

it("a program that waits for what never comes is a failure that is told", async () => {
  writeFileSync(join(cwd, "konteks.config.ts"), "export default await new Promise(() => {});");
  const { code, out, err } = await spawned(["status"]);
  expect({ code, out }).toEqual({ code: 1, out: "" });
  expect(err).toContain("never came");
});

it("a picture beside documents is no failure, one that was named by itself is", async () => {
  writeFileSync(join(cwd, "docs", "plan.png"), Buffer.from("89504e470d0a1a0a0000000d49484452", "hex"));
  expect((await konteks(["ingest", "docs"])).code).toBe(0);
  const { code, out } = await konteks(["ingest", "docs/plan.png", "--index", "other"]);
  expect(out).toContain("Not supported (1)");
  expect(code).toBe(1);
});
