import { existsSync } from "node:fs";

export { Tokenizer } from "@huggingface/tokenizers";

/** In the published package the runtime lies beside this file; in a checkout it is the library's own. */
const packed = new URL("./runtime/ort.node.min.mjs", import.meta.url);

/** ONNX Runtime in WebAssembly. */
export async function loadOnnxRuntime() {
  return existsSync(packed) ? import(packed.href) : import("onnxruntime-web");
}

/** Where models that were built into the package lie. */
export const modelsFolder = new URL("./models/", import.meta.url);
