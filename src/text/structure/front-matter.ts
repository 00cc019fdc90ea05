import type { Metadata, MetadataValue } from "../../spec/index.ts";
import { lazyLibrary } from "../../util/lazy.ts";

const yamlParser = lazyLibrary<typeof import("yaml")>("yaml");
const tomlParser = lazyLibrary<typeof import("smol-toml")>("smol-toml");

/** A front matter as it stands in a text: between two lines of `---` (YAML) or `+++` (TOML), the first at the very beginning. */
export interface FoundFrontMatter {
  readonly format: "yaml" | "toml";
  readonly value: string;
  /** How many lines it takes, its fences included. */
  readonly lines: number;
}

const FENCE = /^\ufeff?(---|\+\+\+)[ \t]*[\r\n]/;

export function findFrontMatter(text: string, starts: Uint32Array): FoundFrontMatter | undefined {
  const fence = FENCE.exec(text)?.[1];
  if (fence === undefined) return undefined;
  for (let line = 1; line < starts.length; line++) {
    const start = starts[line] ?? 0;
    if (!text.startsWith(fence, start)) continue;
    const end = starts[line + 1] ?? text.length;
    if (text.slice(start, end).trimEnd() !== fence) continue;
    const value = text.slice(starts[1], start);
    return { format: fence === "---" ? "yaml" : "toml", value, lines: line + 1 };
  }
  return undefined;
}

/** What a front matter says; `warning` when it cannot be read as a mapping. */
export function readFrontMatter({ format, value }: Pick<FoundFrontMatter, "format" | "value">): {
  metadata: Metadata;
  warning?: string;
} {
  const parsed = format === "toml" ? parseToml(value) : parseYaml(value);
  if (parsed.error !== undefined)
    return { metadata: {}, warning: `front matter is not valid ${format.toUpperCase()}: ${parsed.error}` };
  if (parsed.value === null || parsed.value === undefined) return { metadata: {} };
  if (typeof parsed.value !== "object" || Array.isArray(parsed.value)) {
    return { metadata: {}, warning: "front matter holds no keys" };
  }
  return { metadata: Object.fromEntries(flatten(parsed.value, "")) };
}

function parseYaml(yaml: string): { value?: unknown; error?: string } {
  try {
    const document = yamlParser().parseDocument(yaml, {
      schema: "core",
      customTags: ["timestamp"],
      logLevel: "silent",
    });
    const error = document.errors[0]?.message.split("\n")[0];
    // A bound on aliases keeps a few lines of YAML from growing without end.
    return error === undefined ? { value: document.toJS({ maxAliasCount: 100 }) } : { error };
  } catch (error) {
    return { error: error instanceof Error ? error.message : String(error) };
  }
}

function parseToml(toml: string): { value?: unknown; error?: string } {
  try {
    return { value: tomlParser().parse(toml) };
  } catch (error) {
    return { error: (error instanceof Error ? error.message : String(error)).split("\n")[0] ?? "" };
  }
}

function flatten(value: object, prefix: string): [string, MetadataValue][] {
  return Object.entries(value).flatMap(([key, entry]): [string, MetadataValue][] => {
    const name = prefix + key;
    if (isMapping(entry)) return flatten(entry, `${name}.`);
    if (Array.isArray(entry)) return [[name, list(entry)]];
    return [[name, scalar(entry)]];
  });
}

function isMapping(value: unknown): value is object {
  return typeof value === "object" && value !== null && !Array.isArray(value) && !(value instanceof Date);
}

function list(values: readonly unknown[]): MetadataValue {
  const scalars = values.map(scalar);
  return scalars.every((value) => typeof value === "number") ? scalars : scalars.map(String);
}

function scalar(value: unknown): string | number | boolean | null {
  if (value instanceof Date) return dateText(value);
  if (typeof value === "number" && !Number.isFinite(value)) return String(value);
  if (typeof value === "string" || typeof value === "number" || typeof value === "boolean") return value;
  if (value === null || value === undefined) return null;
  return typeof value === "bigint" ? String(value) : JSON.stringify(value);
}

/** A day stays a day ("2025-03-31"); a time is ISO 8601 in UTC. */
function dateText(date: Date): string {
  if (Number.isNaN(date.getTime())) return "invalid date";
  const iso = date.toISOString();
  return iso.endsWith("T00:00:00.000Z") ? iso.slice(0, 10) : iso;
}
