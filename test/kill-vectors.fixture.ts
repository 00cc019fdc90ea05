/** A process that is killed: ingests a folder with a slow model, and writes each text that it has made a vector of. */
import { writeSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { openKonteks } from "../src/open.ts";
import type { Embedder } from "../src/spec/index.ts";
import { vectorOf } from "../src/testing/provider/embeddings.ts";

const [path = "", docs = "", pause = "0"] = process.argv.slice(2);

const embedder: Embedder = {
  id: "slow",
  kind: "local",
  dimensions: 16,
  maxBatch: 2,
  async embedDocuments(texts) {
    await sleep(Number(pause));
    for (const text of texts) writeSync(1, `${JSON.stringify(text)}\n`);
    return texts.map((text) => Float32Array.from(vectorOf(text, 16)));
  },
  embedQuery: async (text) => Float32Array.from(vectorOf(text, 16)),
};

const konteks = await openKonteks({ path, embedding: embedder });
const { incomplete } = await konteks.ingest(docs);
const { counts } = await konteks.status();
await konteks.close();
writeSync(1, `${JSON.stringify({ counts, incomplete })}\n`);
