import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { openKonteks } from "./open.ts";
import type { Konteks } from "./spec/index.ts";

const folder = mkdtempSync(join(tmpdir(), "konteks-arguments-"));
let konteks: Konteks;
beforeAll(async () => {
  konteks = await openKonteks({ path: folder });
  await konteks.upsert({ id: "a", text: "Tulips are planted in October." });
});
afterAll(async () => {
  await konteks.close();
  rmSync(folder, { recursive: true, force: true });
});

// As a program without types calls it.
const untyped = (value: unknown) => value as never;

it.each([
  ["openKonteks path", () => openKonteks({ path: untyped(5) }), "path must be a string, not number"],
  ["openKonteks options", () => openKonteks(untyped(null)), "options must be an object, not null"],
  ["search", () => konteks.search(untyped(null)), "query must be a string, not null"],
  ["search options", () => konteks.search("x", untyped("k")), "options must be an object, not string"],
  ["ask", () => konteks.ask(untyped(undefined)), "question must be a string, not undefined"],
  ["why", () => konteks.why("x", untyped({})), "options.expect must be a string, not undefined"],
  ["why without options", () => konteks.why("x", untyped(undefined)), "options.expect must be a string"],
  ["ingest", () => konteks.ingest(untyped(7)), "source must be a path, a list"],
  ["upsert", () => konteks.upsert(untyped(null)), "source must be a path, a list"],
  ["upsert of a list in a list", () => konteks.upsert(untyped([[]])), "not a list with a list in it"],
  [
    "paths beside documents",
    () => konteks.ingest(untyped(["a.md", { id: "b", text: "b" }])),
    "not a list of both",
  ],
  ["delete", () => konteks.delete(untyped(1)), "id must be a string"],
  ["document", () => konteks.document(untyped({})), "id must be a string"],
  ["chunks", () => konteks.chunks(untyped([])), "documentId must be a string, not a list"],
  [
    "a misspelt option of search",
    () => konteks.search("x", untyped({ weigths: {} })),
    'Did you mean "weights"?',
  ],
  ["one inside of another", () => konteks.search("x", untyped({ weights: { txt: 1 } })), '"weights.txt"'],
  ["one of ask", () => konteks.ask("x", untyped({ modle: "x" })), 'ask has no option "modle"'],
  ["one of why", () => konteks.why("x", untyped({ expect: "x", topK: 3 })), 'why has no option "topK"'],
  ["one of ingest", () => konteks.ingest("x", untyped({ forse: true })), 'Did you mean "force"?'],
  ["one of upsert", () => konteks.upsert({ id: "b", text: "b" }, untyped({ toString: 1 })), '"toString"'],
  ["one of repair", () => konteks.repair(untyped({ max: 1 })), 'repair has no option "max"'],
  [
    "one of delete",
    () => konteks.delete("x", untyped({ keepContext: true })),
    'Did you mean "keepContexts"?',
  ],
  ["one of openKonteks", () => openKonteks(untyped({ index: folder })), 'openKonteks has no option "index"'],
])("%s tells a wrong kind of value by name", async (_, call, message) => {
  await expect(call()).rejects.toMatchObject({
    name: "KonteksError",
    code: "wrong-option",
    message: expect.stringContaining(message),
  });
});

it.each([
  ["search", (signal: AbortSignal) => konteks.search("tulips", { signal })],
  ["ask", (signal: AbortSignal) => konteks.ask("When are tulips planted?", { signal })],
  ["ingest", (signal: AbortSignal) => konteks.upsert({ id: "b", text: "B." }, { signal })],
])("%s that is stopped ends with aborted", async (_, call) => {
  await expect(call(AbortSignal.abort())).rejects.toMatchObject({ name: "KonteksError", code: "aborted" });
});
