import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { openKonteks } from "../open.ts";
import { main } from "./main.ts";

let cwd: string;
beforeEach(async () => {
  cwd = mkdtempSync(join(tmpdir(), "konteks-serve-"));
  const konteks = await openKonteks({ path: join(cwd, ".konteks") });
  await konteks.upsert({ id: "a.md", text: "# Lease\n\nThe notice period is three months." });
  await konteks.close();
});
afterEach(() => rmSync(cwd, { recursive: true, force: true }));

/** Serves until `work` is done; `url` is read from what was printed. */
async function serving(argv: readonly string[], work: (url: string) => Promise<void>, env = {}) {
  const stop = new AbortController();
  const ready = Promise.withResolvers<string>();
  let [out, err] = ["", ""];
  const ended = main({
    argv: ["serve", ...argv],
    cwd,
    env,
    signal: stop.signal,
    stdout: {
      write: (text) => {
        out += text;
        ready.resolve(/http:\/\/[^\s";]+/.exec(out)?.[0] ?? "");
      },
    },
    stderr: { write: (text) => (err += text) },
    open: openKonteks,
  });
  const url = await Promise.race([ready.promise, ended.then(() => undefined)]);
  if (url !== undefined) await work(url).finally(() => stop.abort());
  return { code: await ended, out, err };
}

const search = (url: string, headers = {}) =>
  fetch(`${url}/search`, {
    method: "POST",
    headers: { "content-type": "application/json", ...headers },
    body: JSON.stringify({ query: "notice period" }),
  });

it("serves the index of the folder with the settings in force, until it is stopped", async () => {
  const { code, out } = await serving(["--port", "0", "-k", "1"], async (url) => {
    const found = (await (await search(url)).json()) as { hits: unknown[] };
    expect(found.hits).toHaveLength(1);
  });
  expect(code).toBe(0);
  expect(out).toMatch(
    /^Serving \.konteks \(1 document, 1 chunk\) at http:\/\/127\.0\.0\.1:\d+; Ctrl-C ends it\.\n$/,
  );
});

it("takes the token from the environment, and prints one JSON value", async () => {
  const env = { KONTEKS_TOKEN: "abc" };
  const { code, out, err } = await serving(
    ["--port", "0", "--host", "0.0.0.0", "--json"],
    async (url) => {
      expect((await search(url)).status).toBe(401);
      expect((await search(url, { authorization: "Bearer abc" })).status).toBe(200);
    },
    env,
  );
  expect([code, err]).toEqual([0, ""]);
  expect(JSON.parse(out)).toMatchObject({ index: join(cwd, ".konteks") });
});

it("keeps searches where a log is set, and none with --read-only", async () => {
  const log = join(cwd, ".konteks", "queries.jsonl");
  const once = async (url: string) => void (await search(url));
  await serving(["--port", "0", "--query-log", "--read-only"], once);
  expect(existsSync(log)).toBe(false);
  await serving(["--port", "0", "--query-log"], once);
  expect(existsSync(log)).toBe(true);
});

it("refuses wrong ports, other addresses without a token, and folders without an index", async () => {
  const never = async () => {
    throw new Error("it served");
  };
  expect(await serving(["--port", "x"], never)).toMatchObject({
    code: 2,
    err: expect.stringMatching(/--port/),
  });
  expect(await serving(["--host", "0.0.0.0"], never)).toMatchObject({
    code: 2,
    err: expect.stringMatching(/token is needed: set KONTEKS_TOKEN/),
  });
  const missing = await serving(["--index", join(cwd, "none")], never);
  expect(missing).toMatchObject({ code: 1, err: expect.stringMatching(/no index/) });
});
