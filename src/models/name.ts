import { KonteksError } from "../spec/index.ts";
import { nearest } from "../util/nearest.ts";
import { providers } from "./providers.ts";

/** "anthropic:claude-haiku-4-5", taken apart. The model's own name may hold colons ("openai-compatible:qwen3:8b"). */
export interface ModelName {
  readonly provider: string;
  readonly model: string;
}

/** Errors: "unknown-model", with the nearest right form. */
export function parseModelName(name: string): ModelName {
  const colon = name.indexOf(":");
  if (colon < 0) throw unknown(name, "names no provider", formFor(name));
  const provider = name.slice(0, colon).trim();
  const model = name.slice(colon + 1).trim();
  if (model === "") throw unknown(name, "names no model", `${provider || "anthropic"}:<model>`);
  if (Object.hasOwn(providers, provider)) return { provider, model };
  const near = nearest(provider, Object.keys(providers), Math.max(2, Math.floor(provider.length / 4)));
  throw unknown(
    name,
    `names a provider that is not known, "${provider}"`,
    near ? `${near}:${model}` : undefined,
  );
}

const families: readonly (readonly [RegExp, string])[] = [
  [/^claude/i, "anthropic"],
  [/^(gpt|chatgpt|o\d|text-embedding)/i, "openai"],
  [/^gemini/i, "google"],
  [/^(mistral|ministral|codestral)/i, "mistral"],
  [/^(command|embed-)/i, "cohere"],
  [/^voyage/i, "voyage"],
  [/^grok/i, "xai"],
  [/^deepseek/i, "deepseek"],
];

/** The name with the provider it is likely of; slashes are how other tools write it. */
function formFor(name: string): string {
  const slash = name.indexOf("/");
  const before = name.slice(0, slash);
  if (slash > 0 && Object.hasOwn(providers, before)) return `${before}:${name.slice(slash + 1)}`;
  const family = families.find(([pattern]) => pattern.test(name));
  return `${family?.[1] ?? "openai-compatible"}:${name}`;
}

function unknown(name: string, what: string, form: string | undefined): KonteksError {
  const next =
    form === undefined
      ? `Write provider:model with one of ${Object.keys(providers).join(", ")}.`
      : `Write "${form}", if that is the one you mean.`;
  return new KonteksError("unknown-model", `The model name "${name}" ${what}. ${next}`, {
    facts: { name, ...(form !== undefined && { suggestion: form }) },
  });
}
