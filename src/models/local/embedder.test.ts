import { cp, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { openKonteks } from "../../open.ts";
import type { ModelLoad } from "../../spec/index.ts";
import { createLocalEmbedder } from "./embedder.ts";
import { installModel } from "./install.ts";
import { TINY, writeTinyModel } from "./tiny-model.fixture.ts";

let root: string;
beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), "konteks-local-"));
  for (const precision of ["fp32", "int8"] as const) {
    const card = { ...TINY, name: `tiny-${precision}`, precision };
    await installModel({ root, name: card.name, source: "a test" }, async (folder) => {
      await writeTinyModel(folder, precision);
      return card;
    });
  }
});
afterAll(() => rm(root, { recursive: true, force: true }));

const env = () => ({ KONTEKS_MODELS: root, KONTEKS_LOCAL_THREADS: "1" });
const TEXTS = [
  "the notice period is three months",
  "cat",
  "the cat sat",
  "three months is the period the notice is",
];

function cosine(a: Float32Array | undefined, b: Float32Array | undefined): number {
  return a?.reduce((sum, value, i) => sum + value * (b?.[i] ?? Number.NaN), 0) ?? Number.NaN;
}

describe.each(["fp32", "int8"])("a local model in %s", (precision) => {
  test("gives a text the same unit vector whatever stands beside it", async () => {
    const embedder = await createLocalEmbedder(`local:tiny-${precision}`, { env: env(), runtime: "web" });
    const together = await embedder.embedDocuments(TEXTS);
    for (const [index, text] of TEXTS.entries()) {
      const [alone] = await embedder.embedDocuments([text]);
      expect(cosine(alone, alone)).toBeCloseTo(1, 5);
      expect(cosine(alone, together[index])).toBeGreaterThan(0.999999);
    }
    expect(cosine(together[0], together[2])).toBeLessThan(0.999);
    await embedder.close();
  });
});

test("8 bits stay near 32, and the two never share an index", async () => {
  const [exact, small] = await Promise.all(
    ["fp32", "int8"].map((precision) =>
      createLocalEmbedder(`local:tiny-${precision}`, { env: env(), runtime: "web" }),
    ),
  );
  const [a, b] = [await exact?.embedQuery("the notice period"), await small?.embedQuery("the notice period")];
  expect(cosine(a, b)).toBeGreaterThan(0.99);
  expect(exact?.id).not.toBe(small?.id);
  await Promise.all([exact?.close(), small?.close()]);
});

test("a text that is too long loses its end only", async () => {
  const embedder = await createLocalEmbedder("local:tiny-fp32", { env: env(), runtime: "web" });
  const long = (end: string) => `${"the cat sat ".repeat(21)} ${end}`;
  const [a, b, c] = await embedder.embedDocuments([long("period"), long("months"), long("").slice(0, -8)]);
  expect(cosine(a, b)).toBeCloseTo(1, 6);
  expect(cosine(a, c)).not.toBeCloseTo(1, 6);
  await embedder.close();
});

test("loading is told once, with what it took", async () => {
  const loads: ModelLoad[] = [];
  const options = { env: env(), runtime: "web", onModelLoad: (load: ModelLoad) => loads.push(load) } as const;
  const embedder = await createLocalEmbedder("local:tiny-fp32", options);
  expect(loads).toEqual([]);
  await embedder.embedQuery("cat");
  await embedder.embedDocuments(TEXTS);
  expect(loads).toEqual([{ model: "tiny-fp32", ms: expect.any(Number) }]);
  expect(loads[0]?.ms).toBeGreaterThan(1);
  await embedder.close();
});

test("what waits can be stopped, and what is closed says so", async () => {
  const embedder = await createLocalEmbedder("local:tiny-fp32", { env: env(), runtime: "web" });
  const controller = new AbortController();
  const waiting = embedder.embedDocuments(TEXTS, { signal: controller.signal });
  controller.abort(new Error("enough"));
  await expect(waiting).rejects.toThrow("enough");
  expect((await embedder.embedDocuments(["cat"])).length).toBe(1);
  await embedder.close();
  await expect(embedder.embedDocuments(["cat"])).rejects.toMatchObject({ code: "closed" });
});

test("a damaged model fails with its name, again and again", async () => {
  const folder = join(root, "damaged");
  await cp(join(root, "tiny-fp32"), folder, { recursive: true });
  await rm(join(folder, "onnx", "model.onnx"));
  const embedder = await createLocalEmbedder(`local:${folder}`, { env: env(), runtime: "web" });
  for (let i = 0; i < 2; i++)
    await expect(embedder.embedQuery("cat")).rejects.toMatchObject({ code: "embedding-failed" });
  await embedder.close();
});

test("a model that is not here is an error that says how to get it", async () => {
  await expect(createLocalEmbedder("local", { env: env() })).rejects.toMatchObject({
    code: "unknown-model",
    message: expect.stringContaining("konteks models pull multilingual-e5-small"),
  });
  await expect(createLocalEmbedder("local:all-minilm-l6-v2", { env: env() })).rejects.toThrow(
    "konteks models pull all-MiniLM-L6-v2",
  );
});

test("an index embeds with it, keeps vectors, and is searched by text when the model is gone", async () => {
  const path = join(root, "index");
  const folder = join(root, "moved");
  await cp(join(root, "tiny-fp32"), folder, { recursive: true });
  const embedding = `local:${folder}`;
  const first = await openKonteks({ path, embedding });
  const report = await first.ingest([{ id: "a", text: "The notice period is three months." }]);
  expect(report.failed).toEqual([]);
  const found = await first.search("three months", { mode: "vector" });
  expect(found.hits[0]?.scores.cosine).toBeGreaterThan(0);
  await first.close();

  await rm(folder, { recursive: true });
  const second = await openKonteks({ path });
  const { hits, notes } = await second.search("notice");
  expect(hits).toHaveLength(1);
  expect(notes).toEqual([expect.stringMatching(/^vector search: skipped .*\/moved" is not on this machine/)]);
  await expect(second.search("notice", { mode: "vector" })).rejects.toMatchObject({ code: "unknown-model" });
  await second.close();
});
