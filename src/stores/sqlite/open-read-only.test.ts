import { execFileSync } from "node:child_process";
import { chmodSync, copyFileSync, mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { put } from "../../testing/store/fixtures.ts";
import { openSqliteStore } from "./index.ts";
import { endOtherProcesses, otherProgram } from "./other-process.fixture.ts";

const folder = mkdtempSync(join(tmpdir(), "konteks-read-only-"));
chmodSync(folder, 0o755);
afterAll(() => {
  endOtherProcesses();
  rmSync(folder, { recursive: true, force: true });
});

/** A process that may read the index and its folder, and write to neither. */
function reader(path: string, script: string) {
  return otherProgram(`
    if (process.getuid() === 0) process.seteuid(65534);
    const path = ${JSON.stringify(path)};
    ${script}
  `);
}

/** Says which documents there are, and which of them a search finds, each time that these change. */
const WATCHING = `
  const store = await openSqliteStore({ path, readOnly: true });
  for (let last = ""; ; ) {
    const ids = (await store.listDocuments()).map(({ id }) => id).join();
    const found = await store.searchText({ terms: [{ term: "word", weight: 1 }], limit: 9 });
    const line = ids + " " + found.map(({ chunkId }) => chunkId).sort().join();
    if (line !== last) say(line);
    last = line;
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
`;

const skip = process.platform === "win32";

test.skipIf(skip)(
  "who may only read the folder sees what others write to it",
  { timeout: 60_000 },
  async () => {
    const home = join(folder, "followed");
    mkdirSync(home);
    const path = join(home, "index.sqlite");
    const first = await openSqliteStore({ path });
    await put(first, { id: "d1", chunks: ["word one"] });
    await first.close();
    chmodSync(home, 0o555);
    const other = reader(path, WATCHING);
    await other.said("d1 d1#0");
    chmodSync(home, 0o755);
    const second = await openSqliteStore({ path });
    await put(second, { id: "d2", chunks: ["word two"] });
    await other.said("d1,d2 d1#0,d2#0");
    await second.deleteDocument("d1");
    await second.close();
    await other.said("d2 d2#0");
    expect(other.errors).toEqual([]);
    other.child.kill("SIGKILL");
  },
);

test.skipIf(skip)(
  "a file whose last changes it cannot bring in is named, and not read without them",
  async () => {
    const home = join(folder, "unfinished");
    mkdirSync(home);
    const path = join(home, "index.sqlite");
    const written = join(folder, "written.sqlite");
    const store = await openSqliteStore({ path: written });
    await put(store, { id: "d1", chunks: ["word one"] });
    for (const ending of ["", "-wal"]) copyFileSync(`${written}${ending}`, `${path}${ending}`);
    await store.close();
    chmodSync(home, 0o555);
    const other = reader(
      path,
      "await openSqliteStore({ path, readOnly: true }).catch(({ code, message }) => say(code + ' ' + message));",
    );
    await other.ended;
    chmodSync(home, 0o755);
    expect(other.lines).toEqual([
      `unreadable ${path} was not closed by who wrote to it last, so it can only be opened where its folder may be written to. Run any "konteks ingest" there once, then try again.`,
    ]);
  },
);

test.skipIf(skip)(
  "on a disk that is full to the last page an index is read, and writing says so",
  async () => {
    const path = join(folder, "full.sqlite");
    const store = await openSqliteStore({ path });
    await put(store, { id: "d1", chunks: ["word one"] });
    await store.close();
    const program = `
    import { openSqliteStore } from ${JSON.stringify(new URL("./index.ts", import.meta.url).href)};
    const path = ${JSON.stringify(path)};
    const store = await openSqliteStore({ path, readOnly: true });
    const found = await store.searchText({ terms: [{ term: "word", weight: 1 }], limit: 9 });
    const refused = await openSqliteStore({ path }).catch(({ code }) => code);
    console.log(found.map(({ chunkId }) => chunkId).join(), refused);
  `;
    // No file may become longer than a page or two: to SQLite it is as on such a disk.
    const limited = [
      "-c",
      'ulimit -f 8; exec "$0" "$@"',
      process.execPath,
      "--input-type=module",
      "-e",
      program,
    ];
    expect(execFileSync("sh", limited, { encoding: "utf8" })).toBe("d1#0 no-space\n");
  },
);
