import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { homedir, tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { settingsInForce } from "./describe.ts";
import { loadConfig } from "./load.ts";

let cwd: string;
beforeEach(() => {
  cwd = mkdtempSync(join(tmpdir(), "konteks-config-"));
});
afterEach(() => rmSync(cwd, { recursive: true, force: true }));

function file(name: string, text: string): string {
  const path = join(cwd, name);
  writeFileSync(path, text);
  return path;
}

const problem = async (json: string) => {
  file("konteks.config.json", json);
  return loadConfig({ cwd, env: {} }).catch((error: Error) => error.message);
};

describe("precedence", () => {
  it("puts flags over environment over file, and remembers who won", async () => {
    const path = file(
      "konteks.config.json",
      '{"search":{"k":3,"mode":"text"},"chunk":{"size":300,"overlap":30}}',
    );
    const env = { KONTEKS_K: "4", KONTEKS_CHUNK_SIZE: "400" };
    const config = await loadConfig({ cwd, env, flags: { k: "5" } });
    expect(config.search).toEqual({ k: 5, mode: "text" });
    expect(config.open.chunk).toEqual({ size: 400, overlap: 30 });
    expect(config.values.get("search.k")).toEqual({ value: 5, origin: "flag", from: "--k" });
    expect(config.values.get("chunk.size")).toMatchObject({
      origin: "environment",
      from: "KONTEKS_CHUNK_SIZE",
    });
    expect(config.values.get("chunk.overlap")).toMatchObject({ origin: "file", from: path });
  });

  it("takes all of a search's settings from file, environment and flags alike", async () => {
    file(
      "konteks.config.json",
      '{"search":{"rerank":"cohere:rerank-v3.5","rerankDepth":40,"expand":"section","min":{"bm25":3},"fold":0.9}}',
    );
    const env = { KONTEKS_MIN_COSINE: "0.2", KONTEKS_PER_DOCUMENT: "2", KONTEKS_QUERY_LOG: "yes" };
    const { search, open } = await loadConfig({ cwd, env, flags: { expandTokens: "300", mmr: "0.5" } });
    expect(search).toEqual({
      rerank: { model: "cohere:rerank-v3.5", depth: 40 },
      expand: { section: true, tokens: 300 },
      min: { bm25: 3, cosine: 0.2 },
      perDocument: 2,
      fold: 0.9,
      mmr: 0.5,
    });
    expect(open.queryLog).toBe(true);
    const without = await loadConfig({ cwd, env: {}, flags: { rerank: "none", queryLog: "log.jsonl" } });
    expect(without.search.rerank).toBe(false);
    expect(without.open.queryLog).toBe(join(cwd, "log.jsonl"));
  });

  it("reads a prompt or a note from the file that is named, as seen from the configuration", async () => {
    file("prompt.txt", "{{document}} {{chunk}}");
    mkdirSync(join(cwd, "notes"));
    file("konteks.config.json", '{"contextPrompt":"prompt.txt","contextDomain":"notes"}');
    mkdirSync(join(cwd, "below"));
    const { open, values } = await loadConfig({ cwd: join(cwd, "below"), env: {} });
    expect(open).toMatchObject({ contextPrompt: "{{document}} {{chunk}}", contextDomain: "notes" });
    expect(values.get("contextPrompt")?.value).toBe("prompt.txt");
  });

  it("leaves out what nobody set, so that an index keeps its own settings", async () => {
    const {
      open,
      search,
      ingest,
      index,
      file: found,
    } = await loadConfig({ cwd, env: { KONTEKS_MODEL: "" } });
    expect({ open, search, ingest, index, found }).toEqual({
      open: { apiKeys: {}, baseUrls: {} },
      search: {},
      ingest: {},
      index: undefined,
      found: undefined,
    });
  });

  it("means the index of a file from that file, and that of a flag from the current folder", async () => {
    file("konteks.config.json", '{"index":"idx"}');
    const below = join(cwd, "below");
    mkdirSync(below);
    expect((await loadConfig({ cwd: below, env: {} })).index).toBe(join(cwd, "idx"));
    expect((await loadConfig({ cwd: below, env: {}, flags: { index: "idx" } })).index).toBe(
      join(below, "idx"),
    );
    expect((await loadConfig({ cwd, env: {}, flags: { index: "~/kb" } })).index).toBe(join(homedir(), "kb"));
  });
});

describe("files", () => {
  it("reads TypeScript, and the nearest file upward wins", async () => {
    file("konteks.config.json", '{"model":"openai:far"}');
    const below = join(cwd, "below", "deeper");
    mkdirSync(below, { recursive: true });
    file(
      "below/konteks.config.mts",
      'const model: string = "openai:near";\nexport default { model } satisfies object;\n',
    );
    expect((await loadConfig({ cwd: below, env: {} })).open.model).toBe("openai:near");
    const named = await loadConfig({ cwd: below, env: {}, configPath: join(cwd, "konteks.config.json") });
    expect(named.open.model).toBe("openai:far");
  });

  it("keeps model objects as they are", async () => {
    file(
      "konteks.config.mjs",
      "class M { modelId = 'm'; provider = 'p'; doGenerate() {} }\nexport default { model: new M() };",
    );
    const { open } = await loadConfig({ cwd, env: {} });
    expect(open.model).toMatchObject({ modelId: "m", doGenerate: expect.any(Function) });
  });

  it("names the file, the place and what was expected", async () => {
    expect(await problem('{"serch":{}}')).toMatch(
      /konteks\.config\.json: there is no setting "serch"\. Did you mean "search"\?$/,
    );
    expect(await problem('{"embeddingModel":"x"}')).toContain('Did you mean "embedding"?');
    expect(await problem('{"chunk":{"sise":5}}')).toContain('no setting "chunk.sise". Did you mean "size"?');
    expect(await problem('{"search":{"k":"ten"}}')).toContain(
      '"search.k" is "ten", expected a whole number.',
    );
    expect(await problem('{"search":{"k":1.5}}')).toContain('"search.k" is 1.5, expected a whole number.');
    expect(await problem('{"search":{"k":0}}')).toContain('"search.k" is 0, expected a whole number from 1.');
    expect(await problem('{"context":"both"}')).toContain(
      '"context" is "both", expected one of structural, none, llm.',
    );
    expect(await problem('{"model":7}')).toContain('"model" is 7, expected text like "provider:model"');
    expect(await problem('{"baseUrls":{"openai":"nowhere"}}')).toContain(
      '"baseUrls.openai" is "nowhere", expected a URL.',
    );
    expect(await problem('{"ingest":{"metadata":{"a":{"b":1}}}}')).toContain(
      '"ingest.metadata.a" is an object, expected text, a number',
    );
    expect(await problem("[]")).toContain("the configuration is a list, expected an object.");
    expect(await problem('{"index":1,"context":2}')).toContain("(and 1 more)");
  });

  it("says what is wrong with a file that cannot be read or is not there", async () => {
    expect(await problem("{,}")).toMatch(/Cannot read .*konteks\.config\.json: .*Correct the file/);
    file("empty.mjs", "export const a = 1;");
    const wrong = (configPath: string) => loadConfig({ cwd, env: {}, configPath });
    await expect(wrong("empty.mjs")).rejects.toThrow(/exports no configuration/);
    await expect(wrong("none.json")).rejects.toMatchObject({ code: "not-found" });
  });
});

describe("values", () => {
  it("tells a wrong value with the name the user wrote", async () => {
    const wrong = (options: { flags?: Record<string, unknown>; env?: Record<string, string> }) =>
      loadConfig({ cwd, env: {}, ...options }).catch((error: Error) => error.message);
    expect(await wrong({ flags: { k: "abc" } })).toBe("--k must be a whole number from 1, not 'abc'.");
    expect(await wrong({ flags: { k: "0" } })).toBe("--k must be a whole number from 1, not '0'.");
    expect(await wrong({ env: { KONTEKS_CHUNK_OVERLAP: "-1" } })).toContain(
      "KONTEKS_CHUNK_OVERLAP must be a whole number from 0",
    );
    expect(await wrong({ flags: { mode: "hybird" } })).toContain("not 'hybird'. Did you mean \"hybrid\"?");
    expect(await wrong({ flags: { textWeight: "much" } })).toContain("--text-weight must be a number from 0");
    expect(await wrong({ flags: { meta: ["year"] } })).toBe("--meta must be key=value, not 'year'.");
  });

  it("gives metadata its types, and only where the text stays the same", async () => {
    const meta = ["year=2025", "draft=false", "code=007", "note=a=b", "empty="];
    const { ingest } = await loadConfig({ cwd, env: {}, flags: { meta, gitignore: false } });
    expect(ingest).toEqual({
      gitignore: false,
      metadata: { year: 2025, draft: false, code: "007", note: "a=b", empty: "" },
    });
  });
});

describe("keys", () => {
  it("hands keys and base URLs to the engine and tells others only whether they are set", async () => {
    const env = {
      ANTHROPIC_API_KEY: "sk-secret",
      COHERE_API_KEY: "c-secret",
      OPENAI_COMPATIBLE_BASE_URL: "http://localhost:1/v1",
    };
    const { open, ...rest } = await loadConfig({ cwd, env });
    expect(open.apiKeys).toEqual({ anthropic: "sk-secret", cohere: "c-secret" });
    expect(open.baseUrls).toEqual({ "openai-compatible": "http://localhost:1/v1" });
    expect(rest.keys).toEqual([
      { name: "ANTHROPIC_API_KEY", set: true },
      { name: "OPENAI_API_KEY", set: false },
      { name: "COHERE_API_KEY", set: true },
    ]);
    expect(JSON.stringify(rest)).not.toMatch(/(sk|c)-secret/);
  });

  it("points out variables that look like misspelt settings", async () => {
    const { warnings } = await loadConfig({ cwd, env: { KONTEKS_MODLE: "x", KONTEKS_ELSEWHERE: "y" } });
    expect(warnings).toEqual(["KONTEKS_MODLE is not a setting. Did you mean KONTEKS_MODEL?"]);
  });
});

describe("how files are read", () => {
  it("comes from flags and the file", async () => {
    const flags = {
      html: "all",
      password: "x",
      maxFileBytes: "1000",
      records: "text=a+b,title=t,metadata=m",
    };
    const { ingest } = await loadConfig({ cwd: "/", env: {}, flags });
    expect(ingest).toEqual({
      html: "all",
      password: "x",
      maxFileBytes: 1000,
      records: { text: ["a", "b"], title: "t", metadata: ["m"] },
    });
  });

  it("refuses fields without a text, and shows no password", async () => {
    for (const records of ["title=t", "text", "txt=a"])
      await expect(loadConfig({ cwd: "/", env: {}, flags: { records } })).rejects.toThrow(/--records must/);
    const config = await loadConfig({ cwd: "/", env: {}, flags: { password: "s3cret" } });
    expect(JSON.stringify(settingsInForce(config, "/x"))).not.toContain("s3cret");
  });
});
