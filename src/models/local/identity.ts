import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { join } from "node:path";
import { pipeline } from "node:stream/promises";
import { fingerprint } from "../../util/hash.ts";
import { cardOf } from "./card.ts";
import type { LocalModel } from "./folder.ts";

/** Which build of ONNX Runtime runs a model: the native one or WebAssembly. */
export type RuntimeKind = "node" | "web";

/**
 * "local:multilingual-e5-small:int8:web:3f2a…": model, precision, runtime, and a fingerprint of its files and card. The
 * same model in 8 bits gives other vectors in another runtime (cosine about 0.997), so they never share an index.
 */
export async function modelId(model: LocalModel, runtime: RuntimeKind): Promise<string> {
  const { card } = model;
  const files = await Promise.all([card.modelFile, "tokenizer.json"].map((file) => hashOf(model, file)));
  const print = fingerprint([...files, JSON.stringify(cardOf(card))]).slice(0, 12);
  return `local:${card.name}:${card.precision}:${runtime}:${print}`;
}

/** The runtime that an index's vectors were made with, if they are of this model. */
export function runtimeOfId(id: string | undefined, name: string): RuntimeKind | undefined {
  const [kind, model, , runtime] = id?.split(":") ?? [];
  if (kind !== "local" || model !== name) return undefined;
  return runtime === "node" || runtime === "web" ? runtime : undefined;
}

async function hashOf({ folder, manifest }: LocalModel, file: string): Promise<string> {
  return manifest?.files[file]?.sha256 ?? fileSha256(join(folder, file));
}

/** SHA-256 of a file, read piece by piece. */
export async function fileSha256(path: string): Promise<string> {
  const hash = createHash("sha256");
  await pipeline(createReadStream(path), hash);
  return hash.digest("hex");
}
