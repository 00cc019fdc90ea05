import { existsSync } from "node:fs";
import { copyFile, mkdir, readdir, rm, stat } from "node:fs/promises";
import { basename, dirname, join, relative, resolve, sep } from "node:path";
import { KonteksError } from "../../spec/index.ts";
import { knownModel, type ModelCard } from "./card.ts";
import { download } from "./download.ts";
import { isPath, type LocalModel, modelsFolder, readModel } from "./folder.ts";
import { hubAddress, hubFiles, hubHeaders } from "./hub.ts";
import { cardFromHubFiles } from "./hub-card.ts";
import { installModel, partialFolder } from "./install.ts";
import { chosenFiles } from "./model-files.ts";
import { unpackModel, withoutEnding } from "./unpack.ts";

export interface PullProgress {
  readonly file: string;
  /** Of the whole model. */
  readonly bytes: number;
  readonly total: number;
}

export interface PullOptions {
  readonly env?: Readonly<Record<string, string | undefined>> | undefined;
  readonly signal?: AbortSignal | undefined;
  readonly onProgress?: ((progress: PullProgress) => void) | undefined;
}

/**
 * Brings a model to this machine: by a name that konteks knows, by its repository on the hub ("owner/name"), or from a
 * folder or archive (.zip, .tar, .tar.gz). Every file is checked against the hash that the hub states. A model appears whole or not at all.
 * Errors: "unknown-model", "not-found", "unreadable", "model-failed", "aborted".
 */
export async function pullModel(source: string, options: PullOptions = {}): Promise<LocalModel> {
  if (existsSync(source)) return pullLocal(resolve(source), options);
  const known = knownModel(source);
  const repo = known?.repo ?? source;
  if (known === undefined && !/^[\w.-]+\/[\w.-]+$/.test(source)) throw unknownSource(source);
  return pullFromHub(repo, known?.name ?? repo.slice(repo.indexOf("/") + 1), options);
}

function unknownSource(source: string): KonteksError {
  const what = isPath(source) ? "is not here" : "is no model that konteks knows";
  return new KonteksError(
    "unknown-model",
    `"${source}" ${what}. Name one of \`konteks models list\`, a repository of the hub (owner/name), or a folder, .zip or .tar.gz that is here.`,
    { facts: { source } },
  );
}

async function pullFromHub(repo: string, name: string, options: PullOptions): Promise<LocalModel> {
  const { env, signal, onProgress } = options;
  const known = knownModel(name);
  const listed = await hubFiles(repo, env, { signal });
  const { modelFile, files } = chosenFiles(
    listed.map(({ path }) => path),
    repo,
    known?.modelFile,
  );
  const wanted = listed.filter(({ path }) => files.includes(path));
  const total = wanted.reduce((sum, { bytes }) => sum + bytes, 0);
  const install = {
    root: modelsFolder(env),
    name,
    source: `${hubAddress(env)}/${repo}`,
    licence: known?.licence,
  };
  return installModel(install, async (folder) => {
    let done = 0;
    for (const file of wanted) {
      const path = join(folder, file.path);
      const report = (bytes: number) => onProgress?.({ file: file.path, bytes: done + bytes, total });
      report(0);
      await download(path, file, { env, signal, secretHeaders: hubHeaders(env), onBytes: report });
      done += file.bytes;
      onProgress?.({ file: file.path, bytes: done, total });
    }
    return cardFor(folder, name, modelFile);
  });
}

async function pullLocal(path: string, options: PullOptions): Promise<LocalModel> {
  const isFolder = (await stat(path)).isDirectory();
  const name = withoutEnding(basename(path));
  const root = modelsFolder(options.env);
  const partial = partialFolder(root, name);
  await rm(partial, { recursive: true, force: true });
  try {
    const install = { root, name, source: path, licence: knownModel(name)?.licence };
    return await installModel(install, async (folder) => {
      const modelFile = isFolder ? await copyModel(path, folder) : await unpackModel(path, folder);
      return cardFor(folder, name, modelFile);
    });
  } finally {
    await rm(partial, { recursive: true, force: true });
  }
}

async function copyModel(from: string, to: string): Promise<string> {
  const entries = await readdir(from, { recursive: true, withFileTypes: true });
  const paths = entries
    .filter((entry) => entry.isFile())
    .map((entry) => relative(from, join(entry.parentPath, entry.name)).split(sep).join("/"));
  const { modelFile, files } = chosenFiles(paths, from);
  for (const file of files) {
    await mkdir(dirname(join(to, file)), { recursive: true });
    await copyFile(join(from, file), join(to, file));
  }
  return modelFile;
}

/** Ours for a model that konteks knows, the folder's own if konteks made it, else what the model's files say. */
async function cardFor(folder: string, name: string, modelFile: string): Promise<ModelCard> {
  const known = knownModel(name);
  const precision = /quantized|int8/.test(modelFile) ? "int8" : "fp32";
  const { manifest, card } = await readModel(folder);
  if (manifest !== undefined) return { ...card, name };
  return known ? { ...known, modelFile, precision } : { ...(await cardFromHubFiles(folder)), name };
}
