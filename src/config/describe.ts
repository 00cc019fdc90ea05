import type { IndexIdentity } from "../spec/index.ts";
import type { Origin, ResolvedConfig } from "./load.ts";
import { SETTINGS } from "./settings.ts";

/** One line of "what is in force and where it came from". */
export interface SettingInForce {
  readonly name: string;
  /** A number, text, …; a model object by its name. */
  readonly value: unknown;
  readonly origin: Origin;
  /** The flag, the variable or the file; empty for "index" and "default". */
  readonly from: string;
}

/** Every setting with its value and origin; what an index saved comes before the defaults. */
export function settingsInForce(
  config: ResolvedConfig,
  index: string,
  identity?: IndexIdentity,
): readonly SettingInForce[] {
  return SETTINGS.flatMap((setting): SettingInForce[] => {
    const { key: name, byDefault } = setting;
    const set = config.values.get(name);
    if (name === "index")
      return [{ name, value: index, origin: set?.origin ?? "default", from: set?.from ?? "" }];
    if (set !== undefined) {
      const value = setting.secret ? "(set, not shown)" : plain(set.value);
      return [{ name, value, origin: set.origin, from: set.from }];
    }
    const saved = identity && savedIn(identity, name);
    if (saved === null) return [];
    return saved === undefined
      ? [{ name, value: byDefault, origin: "default", from: "" }]
      : [{ name: saved.name, value: saved.value, origin: "index", from: "" }];
  });
}

/** What the index's identity says about a setting: null when another setting's line says it already. */
function savedIn(identity: IndexIdentity, key: string): { name: string; value: string } | null | undefined {
  if (key === "chunk.unit") return { name: "chunk", value: identity.chunker };
  if (key.startsWith("chunk.")) return null;
  if (key === "context") return { name: "context", value: identity.contextualizer };
  if (key === "contextModel") return null;
  if (key === "embedding") return { name: "embedding", value: identity.embedding };
  return undefined;
}

/** Model objects hold keys and sockets; only their names are shown. */
function plain(value: unknown): unknown {
  if (typeof value !== "object" || value === null) return value;
  if ("modelId" in value) return `${"provider" in value ? `${value.provider}:` : ""}${value.modelId}`;
  return "embedDocuments" in value && "id" in value ? value.id : value;
}
