import { mkdir, mkdtemp, rename, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterEach, beforeEach, expect, it } from "vitest";
import { changesIn } from "./watch.ts";

let root: string;
let controller: AbortController;
beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), "konteks-watch-"));
  controller = new AbortController();
});
afterEach(() => rm(root, { recursive: true, force: true }));

/** Counts the bursts that are told; waits until the watch is at work. */
async function start(path: string, isFolder: boolean, ignore?: (name: string) => boolean) {
  const told = { count: 0 };
  const done = (async () => {
    const options = { signal: controller.signal, debounceMs: 60, ...(ignore && { ignore }) };
    for await (const _ of changesIn(path, isFolder, options)) told.count++;
  })();
  await sleep(100);
  return {
    told,
    stop: async () => {
      controller.abort();
      await done;
    },
  };
}

async function until(test: () => boolean): Promise<void> {
  for (let tries = 0; tries < 200 && !test(); tries++) await sleep(25);
  expect(test()).toBe(true);
}

it("tells a burst of changes once, also in folders that are made later", async () => {
  const { told, stop } = await start(root, true);
  for (let n = 0; n < 20; n++) await writeFile(join(root, `${n}.md`), "x");
  await until(() => told.count >= 1);
  expect(told.count).toBeLessThanOrEqual(2);
  const before = told.count;
  await mkdir(join(root, "new"));
  await writeFile(join(root, "new", "a.md"), "x");
  await until(() => told.count > before);
  await stop();
});

it("tells nothing of what is to be ignored, and ends when it is stopped", async () => {
  await mkdir(join(root, ".konteks"));
  const { told, stop } = await start(root, true, (name) => name.startsWith(".konteks"));
  await writeFile(join(root, ".konteks", "index"), "x");
  await sleep(250);
  await stop();
  expect(told.count).toBe(0);
});

it("follows a file that its editor replaces, and no other", async () => {
  const file = join(root, "a.md");
  await writeFile(file, "1");
  const { told, stop } = await start(file, false);
  await writeFile(join(root, "other.md"), "x");
  await sleep(200);
  expect(told.count).toBe(0);
  await writeFile(join(root, "tmp"), "2");
  await rename(join(root, "tmp"), file);
  await until(() => told.count === 1);
  await stop();
});
