import { SETTINGS, type Setting } from "./settings.ts";

/** The commented configuration file that `konteks init` writes. The type import is erased, so no install is needed. */
export function configTemplate(): string {
  const lines = [
    'import type { KonteksConfig } from "konteks";',
    "",
    "// Flags win over environment variables, environment variables over this file. `konteks status` shows what is in force.",
    "// Keys of model providers stay in the environment (ANTHROPIC_API_KEY, OPENAI_API_KEY); they do not belong here.",
    "export default {",
    ...group(""),
    "",
    "  chunk: {",
    ...group("chunk."),
    "  },",
    "",
    "  search: {",
    ...group("search."),
    "  },",
    "",
    "  ingest: {",
    ...group("ingest."),
    "  },",
    "",
    "  // Base URLs by provider (a proxy, Ollama, vLLM). Default: the provider's own.",
    '  // baseUrls: { "openai-compatible": "http://localhost:11434/v1" },',
    "} satisfies KonteksConfig;",
  ];
  return `${lines.join("\n")}\n`;
}

/** The same settings without comments, with values that are the defaults. */
export function configTemplateJson(): string {
  const config = {
    index: ".konteks",
    context: "structural",
    embedding: "lexical",
    search: { k: 10, mode: "hybrid" },
    ingest: { gitignore: true },
  };
  return `${JSON.stringify(config, null, 2)}\n`;
}

function group(prefix: string): string[] {
  const indent = prefix === "" ? "  " : "    ";
  const inside = SETTINGS.filter(({ key }) => (prefix === "" ? !key.includes(".") : key.startsWith(prefix)));
  const lines = inside
    .filter(({ key }) => !/^search\.(weights|min)\./.test(key))
    .flatMap((setting) => entry(setting, indent, prefix));
  return prefix === "search." ? [...lines, ...searchGroups(indent)] : lines;
}

function entry(setting: Setting, indent: string, prefix: string): string[] {
  const { about, byDefault, example, flag, variable } = setting;
  const other = variable === undefined ? "" : `, ${variable}`;
  const says = flag.startsWith("--no-") ? `false: ${about}` : about;
  return [
    `${indent}// ${capital(says)}. Default: ${byDefault}. (${flag}${other})`,
    `${indent}// ${setting.key.slice(prefix.length)}: ${example},`,
  ];
}

function searchGroups(indent: string): string[] {
  return [
    `${indent}// Weight of each list in the fusion; 0 leaves it out. Default: text 1, vector by kind of embedding and unknown words, neighbours 0.`,
    `${indent}// weights: { text: 1, vector: 0.5, neighbours: 0.1 },`,
    `${indent}// Thresholds by kind of score; a hit has each score named here. Default: none.`,
    `${indent}// min: { bm25: 5, cosine: 0.3, rerank: 0.5 },`,
  ];
}

function capital(text: string): string {
  return text.slice(0, 1).toUpperCase() + text.slice(1);
}
