/** `npm pack` in this folder: lays the three files of ONNX Runtime that Node needs beside `index.js`, with their licence. */
import { copyFileSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";

const FILES = ["ort.node.min.mjs", "ort-wasm-simd-threaded.mjs", "ort-wasm-simd-threaded.wasm"];

const dist = dirname(createRequire(import.meta.url).resolve("onnxruntime-web"));
const target = join(import.meta.dirname, "runtime");
rmSync(target, { recursive: true, force: true });
mkdirSync(target);
for (const file of FILES) copyFileSync(join(dist, file), join(target, file));
writeFileSync(
  join(target, "NOTICE"),
  "ONNX Runtime, https://onnxruntime.ai. Copyright (c) Microsoft Corporation. MIT licence.\n",
);
