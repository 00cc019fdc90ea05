import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { packageSizes } from "./install-size.ts";

let project: string;

beforeEach(() => {
  project = mkdtempSync(join(tmpdir(), "konteks-sizes-"));
});

afterEach(() => rmSync(project, { recursive: true, force: true }));

function install(path: string, name: string, bytes: number): void {
  const folder = join(project, "node_modules", path);
  const manifest = JSON.stringify({ name, version: "1.0.0" });
  mkdirSync(join(folder, "lib"), { recursive: true });
  writeFileSync(join(folder, "package.json"), manifest);
  writeFileSync(join(folder, "lib", "index.js"), "x".repeat(bytes - manifest.length));
}

test("packages are listed largest first, scoped ones and ones within others on their own", () => {
  install("small", "small", 100);
  install("@scope/large", "@scope/large", 5000);
  install("small/node_modules/inner", "inner", 300);
  mkdirSync(join(project, "node_modules", ".bin"));
  expect(packageSizes(project).map(({ name, bytes }) => [name, bytes])).toEqual([
    ["@scope/large", 5000],
    ["inner", 300],
    ["small", 100],
  ]);
});
