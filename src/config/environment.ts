import { providers } from "../models/providers.ts";
import { nearest } from "../util/nearest.ts";
import { SETTINGS } from "./settings.ts";

export type Environment = Readonly<Record<string, string | undefined>>;

/** Where a provider's base URL is looked for. */
const BASE_URLS: Readonly<Record<string, string>> = {
  anthropic: "ANTHROPIC_BASE_URL",
  openai: "OPENAI_BASE_URL",
  "openai-compatible": "OPENAI_COMPATIBLE_BASE_URL",
};

/** Where a provider's key is looked for. */
const KEYS: Readonly<Record<string, string>> = {
  ...Object.fromEntries(
    Object.entries(providers).flatMap(([name, { keyVariable }]) =>
      keyVariable ? [[name, keyVariable]] : [],
    ),
  ),
  // Servers of one's own mostly need none, so that its package looks nowhere.
  "openai-compatible": "OPENAI_COMPATIBLE_API_KEY",
};

/** Shown also when they are not set, because most users need one of them. */
const USUAL = ["ANTHROPIC_API_KEY", "OPENAI_API_KEY"];

/** The environment of this process. Nothing else reads it. */
export function processEnvironment(): Environment {
  return process.env;
}

/** Colours: `NO_COLOR` and a dumb terminal turn them off, `FORCE_COLOR` on, else a terminal has them. */
export function wantsColors(env: Environment, isTerminal: boolean): boolean {
  if (isSet(env.NO_COLOR)) return false;
  if (isSet(env.FORCE_COLOR)) return env.FORCE_COLOR !== "0";
  return isTerminal && env.TERM !== "dumb";
}

export function isSet(value: string | undefined): value is string {
  return value !== undefined && value !== "";
}

/** Which keys of providers are set; never the keys. The usual ones are named also when they are not. */
export function keysSet(env: Environment): readonly { readonly name: string; readonly set: boolean }[] {
  return Object.values(KEYS)
    .map((name) => ({ name, set: isSet(env[name]) }))
    .filter(({ name, set }) => set || USUAL.includes(name));
}

export function apiKeys(env: Environment): Readonly<Record<string, string>> {
  return byProvider(env, KEYS);
}

export function baseUrls(env: Environment): Readonly<Record<string, string>> {
  return byProvider(env, BASE_URLS);
}

function byProvider(env: Environment, variables: Readonly<Record<string, string>>): Record<string, string> {
  const found: Record<string, string> = {};
  for (const [provider, variable] of Object.entries(variables)) {
    const value = env[variable];
    if (isSet(value)) found[provider] = value;
  }
  return found;
}

/** Variables that are no settings. */
const OTHERS = ["KONTEKS_CONFIG", "KONTEKS_MODELS", "KONTEKS_TOKEN"];

/** Variables that look like a misspelt setting, with what was probably meant. */
export function misspelt(env: Environment): readonly string[] {
  const known = [...SETTINGS.flatMap((setting) => setting.variable ?? []), ...OTHERS];
  return Object.keys(env)
    .filter((name) => name.startsWith("KONTEKS_") && !known.includes(name))
    .flatMap((name) => {
      const meant = nearest(name, known);
      return meant === undefined ? [] : [`${name} is not a setting. Did you mean ${meant}?`];
    });
}
