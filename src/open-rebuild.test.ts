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
