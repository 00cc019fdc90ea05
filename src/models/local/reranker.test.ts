import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { afterAll, beforeAll, expect, test } from "vitest";
import { openKonteks } from "../../open.ts";
import { checkModel } from "./check.ts";
import { createLocalEmbedder } from "./embedder.ts";
import { pullModel } from "./pull.ts";
import { createLocalReranker, type LocalReranker } from "./reranker.ts";
import { TINY_WORDS, writeTinyModel } from "./tiny-model.fixture.ts";
import { TINY_RERANKER_TOKENS, writeTinyReranker } from "./tiny-reranker.fixture.ts";

let root: string;
let reranker: LocalReranker;
const env = () => ({ KONTEKS_MODELS: join(root, "models"), KONTEKS_LOCAL_THREADS: "1" });
beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), "konteks-reranker-"));
  await writeTinyReranker(join(root, "tiny-reranker"));
  await writeTinyModel(join(root, "tiny-encoder"));
  await pullModel(join(root, "tiny-reranker"), { env: env() });
  reranker = await createLocalReranker("local:tiny-reranker", { env: env(), runtime: "web" });
});
afterAll(async () => {
  await reranker.close();
  await rm(root, { recursive: true });
});

test("a passage that answers scores above one that does not", async () => {
  const [relevant = 0, irrelevant = 1] = await reranker.scoresOf("the notice period", [
    "the notice period is three months",
    "cat sat",
  ]);
  expect(relevant).toBeCloseTo(1 / (1 + Math.exp(0)), 6);
  expect(irrelevant).toBeCloseTo(1 / (1 + Math.exp(3)), 6);
});

const words = fc.array(fc.constantFrom(...TINY_WORDS.slice(4)), { minLength: 1, maxLength: 7 });

test("a score is that of query and text alone, whatever is judged beside them", async () => {
  await fc.assert(
    fc.asyncProperty(words, fc.array(words, { minLength: 1, maxLength: 5 }), async (query, texts) => {
      const scores = await reranker.scoresOf(
        query.join(" "),
        texts.map((text) => text.join(" ")),
      );
      const expected = texts.map((text) => {
        const shared = query.reduce((sum, word) => sum + text.filter((other) => other === word).length, 0);
        return 1 / (1 + Math.exp(3 - shared));
      });
      scores.forEach((score, i) => {
        expect(score).toBeCloseTo(expected[i] ?? Number.NaN, 5);
      });
    }),
    { numRuns: 30 },
  );
});

test("what is too long loses the end of the passage, and no more than half of the room goes to the query", async () => {
  const room = TINY_RERANKER_TOKENS - 3;
  const long = (filler: number, last: string) => `${"sat ".repeat(filler)}${last}`;
  const [within = 0, beyond = 0] = await reranker.scoresOf("cat", [
    long(room - 2, "cat"),
    long(room - 1, "cat"),
  ]);
  expect(within).toBeGreaterThan(beyond);
  const [kept = 0] = await reranker.scoresOf(`cat ${"sat ".repeat(60)}`, ["cat"]);
  expect(kept).toBeCloseTo(within, 5);
});

test("an index is reranked by it, and the model of another kind is refused by name", async () => {
  const konteks = await openKonteks({ path: join(root, "index") });
  try {
    await konteks.ingest([
      { id: "a", text: "The cat sat. The notice." },
      { id: "b", text: "The notice period is three months." },
    ]);
    const model = `local:${join(root, "tiny-reranker")}`;
    const { hits } = await konteks.search("the notice period is", { rerank: { model } });
    expect(hits[0]).toMatchObject({ documentId: "b", scoreKind: "rerank" });
    expect(hits[0]?.scores.rerank).toBeGreaterThan(hits[1]?.scores.rerank ?? 1);
    const wrong = konteks.search("notice", { rerank: `local:${join(root, "tiny-encoder")}` });
    await expect(wrong).rejects.toThrow("The model tiny-encoder makes vectors and is no reranker.");
  } finally {
    await konteks.close();
  }
  await expect(createLocalEmbedder("local:tiny-reranker", { env: env() })).rejects.toThrow(
    "--rerank local:tiny-reranker",
  );
});

test("it is checked as a reranker, and one that prefers the wrong passage fails", async () => {
  const check = (name: string) => checkModel(name, { env: env(), runtime: "web" });
  await expect(check("tiny-reranker")).resolves.toMatchObject({ task: "rerank", filesChecked: 4 });
  await writeTinyReranker(join(root, "reversed"), "reversed");
  await pullModel(join(root, "reversed"), { env: env() });
  await expect(check("reversed")).rejects.toMatchObject({ code: "model-failed" });
});
