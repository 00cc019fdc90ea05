import { existsSync, readFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { KonteksError } from "../spec/index.ts";
import type { KonteksConfig } from "./define.ts";

/** Names that are looked for, the first one wins. */
export const CONFIG_NAMES = ["ts", "mts", "js", "mjs", "json"].map((ending) => `konteks.config.${ending}`);

export interface ConfigFile {
  readonly path: string;
  readonly config: KonteksConfig;
}

/** The configuration file in force: the one named, else the nearest from `cwd` upward, else none. */
export async function readConfigFile(cwd: string, named?: string): Promise<ConfigFile | undefined> {
  const path = named === undefined ? findConfigFile(cwd) : resolve(cwd, named);
  if (path === undefined) return undefined;
  if (!existsSync(path)) throw missing(path);
  const value = path.endsWith(".json") ? readJson(path) : await importDefault(path);
  const { checkConfig } = await import("./schema.ts");
  return { path, config: checkConfig(value, path) };
}

export function findConfigFile(cwd: string): string | undefined {
  for (let folder = resolve(cwd); ; folder = dirname(folder)) {
    const found = CONFIG_NAMES.map((name) => join(folder, name)).find((path) => existsSync(path));
    if (found !== undefined || folder === dirname(folder)) return found;
  }
}

function readJson(path: string): unknown {
  try {
    return JSON.parse(readFileSync(path, "utf8").replace(/^\uFEFF/, ""));
  } catch (cause) {
    throw unreadable(path, cause);
  }
}

async function importDefault(path: string): Promise<unknown> {
  const module: { default?: unknown } = await import(pathToFileURL(path).href).catch((cause: unknown) => {
    throw unreadable(path, cause);
  });
  if (module.default !== undefined) return module.default;
  throw new KonteksError("wrong-option", `${path} exports no configuration. Add \`export default { … }\`.`, {
    facts: { file: path },
  });
}

function missing(path: string): KonteksError {
  return new KonteksError(
    "not-found",
    `There is no configuration file ${path}. Check --config, or run \`konteks init\` to make one.`,
    { facts: { file: path } },
  );
}

function unreadable(path: string, cause: unknown): KonteksError {
  const reason = cause instanceof Error ? (cause.message.split("\n")[0] ?? "") : String(cause);
  return new KonteksError("wrong-option", `Cannot read ${path}: ${reason}. ${remedy(path, cause)}`, {
    facts: { file: path },
    cause,
  });
}

function remedy(path: string, cause: unknown): string {
  const commonJs =
    cause instanceof SyntaxError && /export|import/.test(cause.message) && path.endsWith(".ts");
  return commonJs
    ? 'The package.json beside it says "type": "commonjs"; rename the file to konteks.config.mts.'
    : "Correct the file, or name another one with --config.";
}
