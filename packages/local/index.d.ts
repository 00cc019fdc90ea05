export { Tokenizer } from "@huggingface/tokenizers";

/** ONNX Runtime in WebAssembly: the names of `onnxruntime-common` and its backend. */
export declare function loadOnnxRuntime(): Promise<typeof import("onnxruntime-common")>;

/** Where models that were built into the package lie; the folder may be missing. */
export declare const modelsFolder: URL;
