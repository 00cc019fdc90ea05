import { createRequire } from "node:module";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { KonteksError } from "../../spec/index.ts";
import type { RuntimeKind } from "./identity.ts";

/** The part of ONNX Runtime's interface that is used; both builds have it. */
export interface OnnxRuntime {
  readonly env: {
    logLevel?: string | undefined;
    readonly wasm: { numThreads?: number | undefined };
  };
  readonly InferenceSession: { create(model: string | Uint8Array, options: object): Promise<OnnxSession> };
  readonly Tensor: new (type: "int64", data: BigInt64Array, dims: readonly number[]) => unknown;
}

export interface OnnxSession {
  readonly inputNames: readonly string[];
  readonly outputNames: readonly string[];
  run(
    feeds: Readonly<Record<string, unknown>>,
  ): Promise<Readonly<Record<string, { readonly dims: readonly number[]; readonly data: unknown }>>>;
}

/** The part of the tokenizer's interface that is used. */
export type TokenizerClass = new (
  tokenizer: object,
  config: object,
) => {
  readonly model: unknown;
  encode(
    text: string,
    options?: { readonly text_pair?: string; readonly return_token_type_ids?: boolean },
  ): { readonly ids: readonly number[]; readonly token_type_ids?: readonly number[] };
};

/** The package of the user's that wins over ours: native code, four times as fast. */
const NATIVE = "onnxruntime-node";
const PACKAGE = "@konteks/local";

/** The native runtime when it is installed, else WebAssembly. */
export function availableRuntime(): RuntimeKind {
  return resolvePackage(NATIVE) === undefined ? "web" : "node";
}

/** Errors: "unknown-model" when a package is not installed. */
export async function loadTokenizerClass(): Promise<TokenizerClass> {
  return (await importPackage(PACKAGE)).Tokenizer as TokenizerClass;
}

/** Loaded at first use. Errors: "unknown-model" when its package is not installed. */
export async function loadRuntime(kind: RuntimeKind): Promise<OnnxRuntime> {
  const runtime =
    kind === "node"
      ? await importPackage(NATIVE)
      : await ((await importPackage(PACKAGE)).loadOnnxRuntime as () => Promise<Record<string, unknown>>)();
  // A CommonJS package puts its names below `default`.
  const names = "InferenceSession" in runtime ? runtime : runtime.default;
  return names as unknown as OnnxRuntime;
}

async function importPackage(name: string): Promise<Record<string, unknown>> {
  const path = resolvePackage(name);
  if (path !== undefined) return import(pathToFileURL(path).href);
  throw new KonteksError(
    "unknown-model",
    `A local model needs the package ${name}, which is not installed. Run: npm install ${name}`,
    { facts: { package: name } },
  );
}

/** Beside konteks, or in the project that it is run in. */
function resolvePackage(name: string): string | undefined {
  for (const from of [import.meta.url, join(process.cwd(), "package.json")]) {
    try {
      return createRequire(from).resolve(name);
    } catch {
      // not here
    }
  }
  return undefined;
}
