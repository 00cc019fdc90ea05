import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { openKonteks } from "./open.ts";
import type { OpenOptions } from "./spec/index.ts";

let path = "";

beforeEach(async () => {
  vi.stubEnv("OPENAI_API_KEY", "");
  vi.stubEnv("ANTHROPIC_API_KEY", "");
  path = await mkdtemp(join(tmpdir(), "konteks-rebuild-"));
  await using kb = await openKonteks({ path });
  await kb.upsert({ id: "lease.md", text: "The notice period is ninety days." });
});

afterEach(async () => {
  vi.unstubAllEnvs();
  await rm(path, { recursive: true });
});

const REFUSED: readonly OpenOptions[] = [
  { chunk: { size: -5 } },
  { chunk: { size: 10, overlap: 20 } },
  { embedding: "nope" },
  { embedding: "openai:text-embedding-3-small" },
  { contextModel: "nope" },
  { contextModel: "anthropic:claude-haiku-4-5" },
  { bm25: { k1: -1 } },
];

it.each(REFUSED)("a rebuild with %j is refused while the old index is still there", async (options) => {
  await expect(openKonteks({ path, rebuild: true, ...options })).rejects.toThrow();
  await using kb = await openKonteks({ path });
  expect((await kb.documents()).map(({ id }) => id)).toEqual(["lease.md"]);
});

it.each([
  ["empty", () => Buffer.alloc(0)],
  ["cut off", (whole: Buffer) => whole.subarray(0, 30_000)],
  ["overwritten in the middle", (whole: Buffer) => whole.fill(7, 4_096, 20_000)],
] as const)("a rebuild makes an index that is %s anew", async (_, damage) => {
  const file = join(path, "index.sqlite");
  writeFileSync(file, damage(readFileSync(file)));
  for (const ending of ["-wal", "-shm"]) rmSync(file + ending, { force: true });
  await using kb = await openKonteks({ path, rebuild: true });
  await kb.upsert({ id: "new.md", text: "Pets are allowed." });
  expect((await kb.documents()).map(({ id }) => id)).toEqual(["new.md"]);
});

it("a file that is no index is left alone by a rebuild", async () => {
  const file = join(path, "index.sqlite");
  writeFileSync(file, "My diary. ".repeat(1_000));
  await expect(openKonteks({ path, rebuild: true })).rejects.toThrow(/is not a konteks index/);
  expect(readFileSync(file, "utf8")).toContain("My diary.");
});

it("a file of paid work that is damaged is told as such, and no rebuild drops it", async () => {
  const file = join(path, "contexts.sqlite");
  for (const ending of ["-wal", "-shm"]) rmSync(file + ending, { force: true });
  writeFileSync(file, "");
  await expect(openKonteks({ path, rebuild: true })).rejects.toThrow(
    /contexts\.sqlite is damaged.*contexts import/,
  );
});
