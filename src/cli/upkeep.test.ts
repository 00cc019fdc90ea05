import { mkdtempSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { openKonteks } from "../open.ts";
import { nodeSqlite } from "../stores/sqlite/node-sqlite.ts";
import { main } from "./main.ts";

let cwd: string;
beforeEach(async () => {
  cwd = mkdtempSync(join(tmpdir(), "konteks-upkeep-"));
  writeFileSync(join(cwd, "a.md"), "# Notice\n\nThe notice period is three months.\n");
  const konteks = await openKonteks({ path: join(cwd, ".konteks") });
  await konteks.ingest(join(cwd, "a.md"));
  await konteks.close();
});
afterEach(() => rmSync(cwd, { recursive: true, force: true }));

async function cli(...argv: string[]) {
  let [out, err] = ["", ""];
  const code = await main({
    argv,
    cwd,
    env: {},
    signal: new AbortController().signal,
    stdout: { write: (text) => (out += text) },
    stderr: { write: (text) => (err += text) },
    open: openKonteks,
  });
  return { code, out, err };
}

function change(sql: string): void {
  const db = new (nodeSqlite().DatabaseSync)(join(cwd, ".konteks", "index.sqlite"));
  db.exec(sql);
  db.close();
}

it("verify says that an index is whole, its words compared", async () => {
  expect(await cli("verify")).toMatchObject({
    code: 0,
    out: "The index is whole: 1 document, 1 chunk, 1 vector.\n",
  });
  const { out } = await cli("verify", "--json");
  expect(JSON.parse(out)).toMatchObject({ problems: [], chunks: 1, wordsCompared: true });
});

it("verify names what differs, and compact makes it right", async () => {
  change("UPDATE segments SET lengths = zeroblob(length(lengths))");
  const broken = await cli("verify");
  expect(broken.code).toBe(1);
  expect(broken.err).toContain("konteks compact");
  change(
    `UPDATE chunks SET data = replace(data, '"kind":"structural","text":"', '"kind":"structural","text":"Added ')`,
  );
  const compacted = await cli("compact");
  expect(compacted.err).toBe("");
  expect(compacted).toMatchObject({
    code: 0,
    out: expect.stringMatching(/^Lists made anew: 0\.\d MB before/u),
  });
  expect(await cli("verify")).toMatchObject({ code: 0 });
});

it("says of a shown file that it was changed since, until it is read again", async () => {
  const file = join(cwd, "a.md");
  const later = new Date(Date.now() + 5_000);
  utimesSync(file, later, later);
  expect((await cli("search", "notice period")).err).toBe("");
  expect((await cli("ask", "How long is the notice period?")).out).not.toContain("Changed since");
  writeFileSync(file, "# Notice\n\nThe notice period is one month.\n");
  utimesSync(file, later, later);
  const note = "out of date: a.md. To read it again: konteks ingest a.md";
  expect((await cli("search", "notice period")).err).toContain(note);
  expect((await cli("ask", "How long is the notice period?")).out).toContain(note);
  const { notes } = JSON.parse((await cli("ask", "How long is the notice period?", "--json")).out);
  expect(notes).toEqual([expect.stringContaining(note)]);
  rmSync(file);
  expect((await cli("search", "notice period")).err).toBe("");
});
