import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { cardFromHubFiles } from "./hub-card.ts";

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "konteks-card-"));
  await Promise.all(["onnx", "1_Pooling"].map((name) => mkdir(join(folder, name))));
  await writeFile(join(folder, "onnx", "model.onnx"), "");
  await writeFile(join(folder, "tokenizer.json"), "{}");
});
afterEach(() => rm(folder, { recursive: true, force: true }));

const put = (file: string, value: object) => writeFile(join(folder, file), JSON.stringify(value));

test("prompts, pooling and limits come from the files that sentence encoders have", async () => {
  await put("config.json", { model_type: "xlm-roberta", hidden_size: 768, max_position_embeddings: 514 });
  await put("1_Pooling/config.json", { pooling_mode_cls_token: true, pooling_mode_mean_tokens: false });
  await put("config_sentence_transformers.json", { prompts: { query: "ask: ", passage: "text: " } });
  expect(await cardFromHubFiles(folder)).toMatchObject({
    dimensions: 768,
    pooling: "cls",
    maxTokens: 512,
    windowTokens: 256,
    queryPrefix: "ask: ",
    documentPrefix: "text: ",
    precision: "fp32",
  });
});

test("without them: the mean, no prompts, the positions as the limit; the 8-bit file wins", async () => {
  await put("config.json", { model_type: "bert", hidden_size: 8, max_position_embeddings: 128 });
  await writeFile(join(folder, "onnx", "model_quantized.onnx"), "");
  expect(await cardFromHubFiles(folder)).toMatchObject({
    pooling: "mean",
    maxTokens: 128,
    windowTokens: 128,
    queryPrefix: "",
    precision: "int8",
    modelFile: "onnx/model_quantized.onnx",
  });
});

test("a folder that cannot be a model says what it lacks", async () => {
  await expect(cardFromHubFiles(folder)).rejects.toThrow("hidden_size");
  await rm(join(folder, "tokenizer.json"));
  await expect(cardFromHubFiles(folder)).rejects.toMatchObject({ code: "unreadable" });
});
