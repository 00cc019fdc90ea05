import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { afterAll, expect, test } from "vitest";
import { openKonteks } from "../src/open.ts";

const data = resolve(process.env.KONTEKS_DATA ?? "../shared/datasets", "codebases");
const folder = mkdtempSync(join(tmpdir(), "konteks-published-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

interface Published {
  readonly id: string;
  readonly text: string;
  readonly meta: { readonly chunks: readonly (readonly [string, number, number, number])[] };
}

function lines<T>(name: string): T[] {
  return readFileSync(join(data, name), "utf8")
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line) as T);
}

test("the published contexts come into an index over the published chunks, without a call or a key", async () => {
  const konteks = await openKonteks({
    path: folder,
    contextModel: "anthropic:claude-haiku-4-5",
    embedding: "none",
  });
  const documents = lines<Published>("corpus.jsonl").map(({ id, text, meta }) => ({
    id,
    text,
    format: "code" as const,
    chunks: meta.chunks.map(([, , start, end]) => ({ start, end })),
  }));
  const { chunks, incomplete } = await konteks.ingest(documents, { maxCost: 0 });
  expect(chunks).toBe(737);
  expect(incomplete).toHaveLength(737);
  const contexts = lines<{ readonly chunk_id: string; readonly context: string }>("contexts.jsonl");
  const report = await konteks.importContexts(
    contexts.map(({ chunk_id, context }) => ({ chunkId: chunk_id, context })),
  );
  expect(report).toEqual({ imported: 737, known: 0, notUsed: 0, unmatched: [], otherwiseCut: [] });
  const repaired = await konteks.repair({ maxCost: 0 });
  expect(repaired.incomplete).toEqual([]);
  const { counts } = await konteks.status();
  expect(counts.contexts).toEqual({ llm: 737, structural: 0, none: 0 });
  const [first] = await konteks.chunks("doc_1");
  expect(first?.context).toMatchObject({ kind: "llm", text: contexts[0]?.context });
  await konteks.close();
});
