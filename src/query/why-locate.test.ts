import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { openSqliteStore } from "../stores/sqlite/index.ts";
import { put } from "../testing/store/fixtures.ts";
import { locate } from "./why-locate.ts";

test("a passage may be named by its document and its words", async () => {
  const folder = mkdtempSync(join(tmpdir(), "konteks-locate-"));
  const store = await openSqliteStore({ path: join(folder, "index.sqlite") });
  await put(store, { id: "a/c#.md", chunks: ["The notice is", "thirty days."] });
  await put(store, { id: "b.md", chunks: ["The notice is short, thirty days."] });
  const chunks = async (place: string) => {
    const found = await locate(store, place);
    return found.kind === "passage"
      ? [found.chunks.map(({ chunk }) => chunk.id), found.reason]
      : found.reason;
  };
  expect(await chunks("b.md#thirty DAYS")).toEqual([["b.md#0"], ""]);
  expect(await chunks("c#.md#thirty days")).toEqual([["a/c#.md#1"], ""]);
  expect(await chunks("b.md#0")).toEqual([["b.md#0"], ""]);
  expect(await chunks("thirty days")).toEqual([["a/c#.md#1"], ""]);
  expect(await chunks("b.md#ninety days")).toEqual([[], expect.stringContaining("do not stand in it")]);
  expect(await chunks("none.md#thirty days")).toContain("No document");
  await store.close();
  rmSync(folder, { recursive: true, force: true });
});
