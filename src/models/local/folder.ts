import { existsSync } from "node:fs";
import { readdir, readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { homedir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { KonteksError } from "../../spec/index.ts";
import { nearest } from "../../util/nearest.ts";
import { KNOWN_MODELS, type ModelCard } from "./card.ts";
import { cardFromHubFiles } from "./hub-card.ts";

type Env = Readonly<Record<string, string | undefined>>;

/** What konteks writes beside a model's files: the card, and every file with its hash. */
export const MANIFEST = "konteks-model.json";

export interface ModelManifest {
  readonly card: ModelCard;
  /** Where it was taken from. */
  readonly source: string;
  readonly licence?: string | undefined;
  readonly files: Readonly<Record<string, { readonly sha256: string; readonly bytes: number }>>;
}

export interface LocalModel {
  readonly folder: string;
  readonly card: ModelCard;
  /** Undefined for a folder that was not made by konteks. */
  readonly manifest?: ModelManifest;
}

/** Where models are kept: `KONTEKS_MODELS`, else the user's cache folder. */
export function modelsFolder(env: Env = process.env): string {
  if (env.KONTEKS_MODELS) return resolve(env.KONTEKS_MODELS);
  if (process.platform === "win32" && env.LOCALAPPDATA) return join(env.LOCALAPPDATA, "konteks", "models");
  const home = env.HOME || homedir();
  if (process.platform === "darwin") return join(home, "Library", "Caches", "konteks", "models");
  return join(env.XDG_CACHE_HOME || join(home, ".cache"), "konteks", "models");
}

/**
 * The model of a name, or of a folder in the hub's usual layout ("./models/mine"). Looked for in the models folder, then
 * among those built into @konteks/local. Errors: "unknown-model" when it is not there; "unreadable" when files are missing.
 */
export async function findModel(name: string, env: Env = process.env): Promise<LocalModel> {
  const folder = placesOf(name, env).find((place) => existsSync(place));
  if (folder === undefined) throw missing(name);
  return readModel(folder);
}

function placesOf(name: string, env: Env): readonly string[] {
  if (isPath(name)) return [resolve(name)];
  const builtIn = builtInFolder();
  return [join(modelsFolder(env), name), ...(builtIn === undefined ? [] : [join(builtIn, name)])];
}

export function isPath(name: string): boolean {
  return /[\\/]/.test(name) || name === "." || name === "..";
}

function builtInFolder(): string | undefined {
  try {
    return join(dirname(createRequire(import.meta.url).resolve("@konteks/local")), "models");
  } catch {
    return undefined;
  }
}

function missing(name: string): KonteksError {
  const names = KNOWN_MODELS.map((model) => model.name);
  const known = names.includes(name) ? name : nearest(name, names, 4);
  const next = isPath(name)
    ? "Give a folder that holds a model in ONNX form."
    : known === undefined
      ? `konteks knows ${names.join(", ")}; any other is used from its folder (local:./folder).`
      : `Get it: konteks models pull ${known}`;
  return new KonteksError("unknown-model", `The model "${name}" is not on this machine. ${next}`, {
    facts: { name, ...(known !== undefined && { suggestion: `local:${known}` }) },
  });
}

/** Reads what a model folder says of itself. */
export async function readModel(folder: string): Promise<LocalModel> {
  const manifest = await readManifest(folder);
  if (manifest === undefined) return { folder, card: await cardFromHubFiles(folder) };
  return { folder, card: manifest.card, manifest };
}

/** What konteks wrote beside a model's files; undefined when it did not make the folder. Errors: "unreadable". */
export async function readManifest(folder: string): Promise<ModelManifest | undefined> {
  const path = join(folder, MANIFEST);
  if (!existsSync(path)) return undefined;
  try {
    return JSON.parse(await readFile(path, "utf8")) as ModelManifest;
  } catch (cause) {
    const message = `${path} cannot be read. Remove the folder and get the model again: konteks models pull <name>.`;
    throw new KonteksError("unreadable", message, { facts: { path }, cause });
  }
}

/** All models on this machine, by name. */
export async function installedModels(env: Env = process.env): Promise<readonly LocalModel[]> {
  const places = [modelsFolder(env), builtInFolder()].filter((place) => place !== undefined);
  const found = new Map<string, LocalModel>();
  for (const place of places) {
    const entries = await readdir(place, { withFileTypes: true }).catch(() => []);
    for (const entry of entries.filter((one) => one.isDirectory() && !one.name.startsWith("."))) {
      if (!found.has(entry.name)) found.set(entry.name, await readModel(join(place, entry.name)));
    }
  }
  return [...found.values()].sort((a, b) => (a.card.name < b.card.name ? -1 : 1));
}
