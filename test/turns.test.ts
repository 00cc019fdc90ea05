import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { openKonteks } from "../src/index.ts";

const folder = mkdtempSync(join(tmpdir(), "konteks-turns-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

test("changes that are asked for at the same time are all made, in their order", async () => {
  await using konteks = await openKonteks({ path: join(folder, "index") });
  const ids = Array.from({ length: 8 }, (_, i) => `note-${i}`);
  const reports = await Promise.all(
    ids.map((id) => konteks.upsert({ id, text: `The lighthouse of ${id}.` })),
  );
  expect(reports.map(({ added }) => added)).toEqual(ids.map(() => 1));
  const [gone, again, found] = await Promise.all([
    konteks.delete("note-3"),
    konteks.upsert({ id: "note-3", text: "A ferry goes twice a day." }),
    konteks.search("lighthouse", { k: 20 }),
  ]);
  expect({ gone, added: again.added }).toEqual({ gone: true, added: 1 });
  expect(found.hits.length).toBeGreaterThan(0);
  expect((await konteks.documents()).map(({ id }) => id)).toEqual(ids);
  expect((await konteks.chunks("note-3"))[0]?.chunk.text).toContain("ferry");
});
