import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, expect, it } from "vitest";
import { loadConfig } from "./load.ts";
import { SETTINGS } from "./settings.ts";
import { configTemplate, configTemplateJson } from "./template.ts";

const cwd = mkdtempSync(join(tmpdir(), "konteks-template-"));
afterEach(() => rmSync(cwd, { recursive: true, force: true }));

it("is a configuration that sets nothing, and one that sets everything when its comments are opened", async () => {
  const closed = join(cwd, "closed.mts");
  const open = join(cwd, "open.mts");
  writeFileSync(closed, configTemplate());
  writeFileSync(open, configTemplate().replace(/^(\s*)\/\/ (\w+: .*,)$/gm, "$1$2"));
  expect((await loadConfig({ cwd, env: {}, configPath: closed })).values.size).toBe(0);
  const { values } = await loadConfig({ cwd, env: {}, configPath: open });
  expect([...values.keys()].sort()).toEqual(SETTINGS.map(({ key }) => key).sort());
});

it("writes JSON that holds", async () => {
  const path = join(tmpdir(), `konteks-template-${process.pid}.json`);
  writeFileSync(path, configTemplateJson());
  const { search } = await loadConfig({ cwd, env: {}, configPath: path });
  rmSync(path);
  expect(search).toEqual({ k: 10, mode: "hybrid" });
});
