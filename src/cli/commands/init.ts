import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { CONFIG_NAMES } from "../../config/file.ts";
import { configTemplate, configTemplateJson } from "../../config/template.ts";
import { choice } from "../../config/values.ts";
import { KonteksError } from "../../spec/index.ts";
import { hintAtLocalModel } from "../local-hint.ts";
import { EXIT, note, printJson, type Session } from "../session.ts";

export async function run(session: Session): Promise<number> {
  const { cwd, flags, json } = session;
  const format = choice(["ts", "json"])(String(flags.format ?? "ts"), "--format");
  const there = CONFIG_NAMES.map((name) => join(cwd, name)).find((path) => existsSync(path));
  if (there !== undefined && flags.force !== true) throw alreadyThere(there);
  const file = join(cwd, format === "json" ? "konteks.config.json" : typeScriptName(cwd));
  writeFileSync(file, format === "json" ? configTemplateJson() : configTemplate());
  if (json) printJson(session, { file });
  note(session, `Wrote ${file}. \`konteks status\` shows what is in force.`);
  await hintAtLocalModel(session, undefined);
  return EXIT.done;
}

/** In a package of CommonJS only `.mts` may export the configuration. */
function typeScriptName(cwd: string): string {
  return packageType(cwd) === "commonjs" ? "konteks.config.mts" : "konteks.config.ts";
}

function packageType(folder: string): unknown {
  const manifest = join(folder, "package.json");
  if (existsSync(manifest)) return typeIn(manifest);
  return folder === dirname(folder) ? undefined : packageType(dirname(folder));
}

function typeIn(manifest: string): unknown {
  try {
    return JSON.parse(readFileSync(manifest, "utf8")).type;
  } catch {
    return undefined; // a package.json that cannot be read is not for `init` to judge
  }
}

function alreadyThere(file: string): KonteksError {
  return new KonteksError(
    "wrong-option",
    `${file} is already there. Edit it, or overwrite it with \`konteks init --force\`.`,
    { facts: { file } },
  );
}
