import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { openKonteks } from "../open.ts";

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "konteks-unfinished-"));
  mkdirSync(join(folder, "docs"));
  for (const name of ["a", "b", "c"])
    writeFileSync(join(folder, "docs", `${name}.md`), `# ${name}\n\nText.\n`);
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

test("an ingest that was stopped is told until it has come to its end", async () => {
  const konteks = await openKonteks({ path: join(folder, "index") });
  const docs = join(folder, "docs");
  const stop = new AbortController();
  const onProgress = () => stop.abort();
  await expect(konteks.ingest(docs, { signal: stop.signal, onProgress })).rejects.toThrow();
  expect((await konteks.status()).unfinished).toEqual([docs]);
  const told = expect.stringMatching(/^The ingest of .*docs was stopped .* konteks ingest /u);
  expect((await konteks.search("nothing of the kind")).notes).toContainEqual(told);
  expect((await konteks.ask("nothing of the kind")).notes).toContainEqual(told);
  await konteks.ingest(docs);
  expect(await konteks.status()).not.toHaveProperty("unfinished");
  expect((await konteks.ask("nothing of the kind")).notes).not.toContainEqual(told);
  await konteks.close();
});
