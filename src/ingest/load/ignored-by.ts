import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { dirname, join, relative, resolve, sep } from "node:path";

const RULE_FILES = [".konteksignore", ".gitignore"];

/**
 * The rule that leaves a file out when a folder above it is ingested: `docs/.gitignore: secret*`, or the built-in one. The
 * rules of the nearest folder are asked first, up to the one that holds `.git`. Undefined when none does.
 */
export async function ignoredBy(file: string): Promise<string | undefined> {
  const path = resolve(file);
  const hidden = relative(resolve("."), path)
    .split(sep)
    .find((part) => part === "node_modules" || /^\.[^.]/.test(part));
  if (hidden !== undefined) return `the built-in rule against "${hidden}"`;
  const { default: createIgnore } = await import("ignore");
  for (let folder = dirname(path); ; folder = dirname(folder)) {
    for (const name of RULE_FILES) {
      const rules = join(folder, name);
      if (!existsSync(rules)) continue;
      const ignore = createIgnore({ ignorecase: false }).add(await readFile(rules, "utf8"));
      const { ignored, rule } = ignore.checkIgnore(relative(folder, path).split(sep).join("/"));
      if (ignored) return `the rule "${rule?.pattern ?? ""}" of ${relative(resolve("."), rules)}`;
    }
    if (existsSync(join(folder, ".git")) || dirname(folder) === folder) return undefined;
  }
}
