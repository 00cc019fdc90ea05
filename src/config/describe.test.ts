import { expect, it } from "vitest";
import { settingsInForce } from "./describe.ts";
import { loadConfig } from "./load.ts";

const identity = {
  chunker: "chunk-1 tokens 400/50",
  contextualizer: "structural-1",
  analyzer: "a",
  embedding: "lexical-hash-v1",
  dimensions: 256,
};

it("names the origin of every value: what the index saved stands before the defaults, what was set before both", async () => {
  const config = await loadConfig({ cwd: "/", env: { KONTEKS_MODE: "text" }, flags: { chunkSize: "300" } });
  const rows = settingsInForce(config, "/kb/.konteks", identity);
  const row = (name: string) => rows.find((setting) => setting.name === name);
  expect(row("index")).toEqual({ name: "index", value: "/kb/.konteks", origin: "default", from: "" });
  expect(row("chunk")).toMatchObject({ value: "chunk-1 tokens 400/50", origin: "index" });
  expect(row("chunk.size")).toMatchObject({ value: 300, origin: "flag", from: "--chunk-size" });
  expect(row("embedding")).toMatchObject({ value: "lexical-hash-v1", origin: "index" });
  expect(row("search.mode")).toMatchObject({ value: "text", origin: "environment", from: "KONTEKS_MODE" });
  expect(row("search.k")).toMatchObject({ value: "10", origin: "default" });
});

it("shows a model object by its name alone", async () => {
  const model = { modelId: "m", provider: "p", config: { apiKey: "secret" } };
  const config = await loadConfig({ cwd: "/", env: {}, flags: { model } });
  const rows = settingsInForce(config, "/x");
  expect(rows.find(({ name }) => name === "model")?.value).toBe("p:m");
  expect(JSON.stringify(rows)).not.toContain("secret");
});
