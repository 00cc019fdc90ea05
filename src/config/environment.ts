import { nearest } from "./nearest.ts";
import { SETTINGS } from "./settings.ts";

export type Environment = Readonly<Record<string, string | undefined>>;

/** Where each provider's key and base URL are looked for. */
export const PROVIDERS = [
  { provider: "anthropic", key: "ANTHROPIC_API_KEY", baseUrl: "ANTHROPIC_BASE_URL" },
  { provider: "openai", key: "OPENAI_API_KEY", baseUrl: "OPENAI_BASE_URL" },
  {
    provider: "openai-compatible",
    key: "OPENAI_COMPATIBLE_API_KEY",
    baseUrl: "OPENAI_COMPATIBLE_BASE_URL",
  },
] as const;

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

/** Whether each provider's key is set; never the key. */
export function keysSet(env: Environment): readonly { readonly name: string; readonly set: boolean }[] {
  return PROVIDERS.map(({ key }) => ({ name: key, set: isSet(env[key]) }));
}

export function apiKeys(env: Environment): Readonly<Record<string, string>> {
  return byProvider(env, "key");
}

export function baseUrls(env: Environment): Readonly<Record<string, string>> {
  return byProvider(env, "baseUrl");
}

function byProvider(env: Environment, what: "key" | "baseUrl"): Record<string, string> {
  const found: Record<string, string> = {};
  for (const entry of PROVIDERS) {
    const value = env[entry[what]];
    if (isSet(value)) found[entry.provider] = value;
  }
  return found;
}

/** Variables that look like a misspelt setting, with what was probably meant. */
export function misspelt(env: Environment): readonly string[] {
  const known = [...SETTINGS.flatMap((setting) => setting.variable ?? []), "KONTEKS_CONFIG"];
  return Object.keys(env)
    .filter((name) => name.startsWith("KONTEKS_") && !known.includes(name))
    .flatMap((name) => {
      const meant = nearest(name, known);
      return meant === undefined ? [] : [`${name} is not a setting. Did you mean ${meant}?`];
    });
}
