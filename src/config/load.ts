import { homedir } from "node:os";
import { dirname, resolve } from "node:path";
import type { IngestOptions, Metadata, OpenOptions, SearchOptions } from "../spec/index.ts";
import type { KonteksConfig } from "./define.ts";
import { apiKeys, baseUrls, type Environment, isSet, keysSet, misspelt } from "./environment.ts";
import { readConfigFile } from "./file.ts";
import { searchOptions } from "./search.ts";
import { attributeOf, longFlag, SETTINGS, type Setting } from "./settings.ts";
import { fileOrText, metadataEntry } from "./values.ts";

/** Who set a value. "index": it was saved when the index was made. */
export type Origin = "flag" | "environment" | "file" | "index" | "default";

export interface SetValue {
  readonly value: unknown;
  readonly origin: Origin;
  /** The flag, the variable or the file. */
  readonly from: string;
}

export interface LoadConfigOptions {
  readonly cwd: string;
  readonly env: Environment;
  /** What was typed, by the attribute of the flag (`chunkSize: "400"`). Default: nothing. */
  readonly flags?: Readonly<Record<string, unknown>>;
  /** A configuration file by name. Default: `KONTEKS_CONFIG`, else the nearest one from `cwd` upward. */
  readonly configPath?: string;
}

/** What is in force: ready to hand to the engine, and where each value came from. */
export interface ResolvedConfig {
  /** By key of the setting; what nobody set is not in it. */
  readonly values: ReadonlyMap<string, SetValue>;
  /** Absolute folder of the index, if somebody set it. */
  readonly index: string | undefined;
  /** Without `path`; only what somebody set, so that an index keeps its own settings. */
  readonly open: OpenOptions;
  readonly search: SearchOptions;
  readonly ingest: IngestOptions;
  /** Path of the configuration file in force. */
  readonly file: string | undefined;
  /** Provider keys: whether they are set. */
  readonly keys: readonly { readonly name: string; readonly set: boolean }[];
  /** Variables that look like misspelt settings. */
  readonly warnings: readonly string[];
}

/** Merges flags over environment over file; throws "wrong-option" with the name the user wrote. */
export async function loadConfig(options: LoadConfigOptions): Promise<ResolvedConfig> {
  const { cwd, env, flags = {} } = options;
  const named = options.configPath ?? (isSet(env.KONTEKS_CONFIG) ? env.KONTEKS_CONFIG : undefined);
  const file = await readConfigFile(cwd, named);
  const values = new Map<string, SetValue>();
  for (const setting of SETTINGS) {
    const found = fromFlag(setting, flags) ?? fromVariable(setting, env) ?? fromFile(setting, file);
    if (found !== undefined) values.set(setting.key, found);
  }
  return {
    values,
    index: indexFolder(values.get("index"), cwd),
    ...forEngine(nested(atPlace(values, cwd)), env, file?.config.baseUrls),
    file: file?.path,
    keys: keysSet(env),
    warnings: misspelt(env),
  };
}

function fromFlag(setting: Setting, flags: Readonly<Record<string, unknown>>): SetValue | undefined {
  const value = flags[attributeOf(setting)];
  if (value === undefined) return undefined;
  const name = longFlag(setting);
  return { value: parsed(setting, value, name), origin: "flag", from: name };
}

function parsed(setting: Setting, value: unknown, name: string): unknown {
  if (Array.isArray(value)) return metadata(value.map(String), name);
  return typeof value === "string" ? setting.parse(value, name) : value;
}

function metadata(entries: readonly string[], name: string): Metadata {
  return Object.fromEntries(entries.map((entry) => metadataEntry(entry, name)));
}

function fromVariable({ variable, parse }: Setting, env: Environment): SetValue | undefined {
  const text = variable === undefined ? undefined : env[variable];
  if (variable === undefined || !isSet(text)) return undefined;
  return { value: parse(text, variable), origin: "environment", from: variable };
}

function fromFile(
  { key }: Setting,
  file: { readonly path: string; readonly config: KonteksConfig } | undefined,
): SetValue | undefined {
  if (file === undefined) return undefined;
  const value = key.split(".").reduce<unknown>(property, file.config);
  return value === undefined ? undefined : { value, origin: "file", from: file.path };
}

function property(value: unknown, key: string): unknown {
  return typeof value === "object" && value !== null ? (value as Record<string, unknown>)[key] : undefined;
}

/** Files are meant from where they are named, as the index's folder is: the log's, and that of a prompt or note. */
function atPlace(values: ReadonlyMap<string, SetValue>, cwd: string): ReadonlyMap<string, SetValue> {
  const placed = new Map(values);
  const log = values.get("queryLog");
  if (typeof log?.value === "string") placed.set("queryLog", { ...log, value: indexFolder(log, cwd) });
  for (const key of ["contextPrompt", "contextDomain"]) {
    const set = values.get(key);
    if (set?.origin !== "file" || typeof set.value !== "string") continue;
    placed.set(key, { ...set, value: fileOrText(set.value, dirname(set.from)) });
  }
  return placed;
}

/** A relative folder is meant from the file that names it, else from where the user stands. */
function indexFolder(set: SetValue | undefined, cwd: string): string | undefined {
  if (set === undefined) return undefined;
  // A shell leaves the tilde of `--index=~/x` alone.
  const folder = String(set.value).replace(/^~(?=$|[\\/])/, homedir());
  return resolve(set.origin === "file" ? dirname(set.from) : cwd, folder);
}

/** `chunk.size: 400` → `{ chunk: { size: 400 } }`. Each value was checked where it came in. */
function nested(values: ReadonlyMap<string, SetValue>): KonteksConfig {
  const config: Record<string, unknown> = {};
  for (const [key, { value }] of values) place(config, key.split("."), value);
  return config as KonteksConfig;
}

function place(target: Record<string, unknown>, path: readonly string[], value: unknown): void {
  const [first = "", ...rest] = path;
  if (rest.length === 0) {
    target[first] = value;
    return;
  }
  const inner = { ...(target[first] as Record<string, unknown> | undefined) };
  place(inner, rest, value);
  target[first] = inner;
}

function forEngine(
  { index: _, search = {}, ingest = {}, ...open }: KonteksConfig,
  env: Environment,
  fileUrls: Readonly<Record<string, string>> = {},
): { open: OpenOptions; search: SearchOptions; ingest: IngestOptions } {
  const urls = { ...fileUrls, ...baseUrls(env) };
  return {
    open: { ...open, apiKeys: apiKeys(env), baseUrls: urls },
    search: searchOptions(search),
    ingest,
  };
}
