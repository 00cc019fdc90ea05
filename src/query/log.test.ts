import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { hitOf } from "./answer/evidence.fixture.ts";
import { forgetDocument, logQuery, readQueryLog } from "./log.ts";

let folder: string;
let path: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "konteks-log-"));
  path = join(folder, "queries.jsonl");
});

afterEach(() => rmSync(folder, { recursive: true }));

function log(query: string, ...chunkIds: string[]): void {
  const hits = chunkIds.map((chunkId) => hitOf("text", { chunkId }));
  logQuery(path, { query, hits, trace: [] }, 1);
}

test("a deleted document leaves the log: its hits, and the searches that found nothing else", () => {
  log("both", "a.md#0", "a#b.md#1");
  log("only the deleted one", "a.md#2");
  log("nothing");
  forgetDocument(path, "a.md");
  expect(readQueryLog(path).map(({ query, hits }) => [query, hits.map(([id]) => id)])).toEqual([
    ["both", ["a#b.md#1"]],
    ["nothing", []],
  ]);
  expect(readFileSync(path, "utf8")).not.toContain("a.md#2");
  expect(readdirSync(folder)).toEqual(["queries.jsonl"]);
});

test("a log that does not hold the document, or is not there, stays as it is", () => {
  forgetDocument(path, "a.md");
  expect(readdirSync(folder)).toEqual([]);
  log("other", "b.md#0");
  const before = readFileSync(path, "utf8");
  forgetDocument(path, "a.md");
  expect(readFileSync(path, "utf8")).toBe(before);
});
