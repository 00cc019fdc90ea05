import { mkdir, readdir, rename, rm, stat, writeFile } from "node:fs/promises";
import { join, relative, sep } from "node:path";
import { KonteksError } from "../../spec/index.ts";
import { cardOf, type ModelCard } from "./card.ts";
import { type LocalModel, MANIFEST, type ModelManifest, readManifest } from "./folder.ts";
import { fileSha256 } from "./identity.ts";

export interface InstallOptions {
  /** Folder of all models. */
  readonly root: string;
  readonly name: string;
  readonly source: string;
  readonly licence?: string | undefined;
}

/** Where a model is put together; hidden, so that nothing takes it for a model. */
export function partialFolder(root: string, name: string): string {
  return join(root, `.${name}.partial`);
}

/**
 * Makes a model visible all at once: `fill` writes its files into a hidden folder and gives its card; the folder gets its manifest and is then
 * renamed, in place of an older one. When `fill` fails, the hidden folder stays for the next try and no model appears.
 */
export async function installModel(
  options: InstallOptions,
  fill: (folder: string) => Promise<ModelCard>,
): Promise<LocalModel> {
  const { root, name, source, licence } = options;
  const partial = partialFolder(root, name);
  await mkdir(partial, { recursive: true });
  const card = await fill(partial);
  const files = await filesOf(partial);
  const given = await readManifest(partial);
  if (given !== undefined) refuseOther(source, given.files, files);
  const manifest: ModelManifest = { card: cardOf(card), source, licence: licence ?? given?.licence, files };
  await writeFile(join(partial, MANIFEST), `${JSON.stringify(manifest, undefined, 2)}\n`);
  const folder = join(root, name);
  await rm(folder, { recursive: true, force: true });
  await rename(partial, folder);
  return { folder, card: manifest.card, manifest };
}

/** What another machine's konteks wrote of its files holds for a copy of them too. */
function refuseOther(source: string, expected: ModelManifest["files"], found: ModelManifest["files"]): void {
  const [path] = Object.entries(found).find(([file, { sha256 }]) => expected[file]?.sha256 !== sha256) ?? [];
  if (path === undefined) return;
  throw new KonteksError(
    "unreadable",
    `${path} in ${source} is not what its ${MANIFEST} says. Nothing was kept; get the model anew from where it came.`,
    { facts: { source, file: path } },
  );
}

/** Every file of a model folder with its hash; paths with slashes. */
export async function filesOf(folder: string): Promise<ModelManifest["files"]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const paths = entries
    .filter((entry) => entry.isFile() && entry.name !== MANIFEST)
    .map((entry) => join(entry.parentPath, entry.name))
    .sort();
  const files: Record<string, { sha256: string; bytes: number }> = {};
  for (const path of paths) {
    const { size: bytes } = await stat(path);
    files[relative(folder, path).split(sep).join("/")] = { sha256: await fileSha256(path), bytes };
  }
  return files;
}
