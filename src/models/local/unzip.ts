import { createWriteStream } from "node:fs";
import { mkdir } from "node:fs/promises";
import { dirname, join } from "node:path";
import { pipeline } from "node:stream/promises";
import { KonteksError } from "../../spec/index.ts";
import { chosenFiles } from "./model-files.ts";

/** Unpacks a model from a .zip, in which it may stand below one folder; gives back the path of its ONNX file. */
export async function unzipModel(archive: string, to: string): Promise<string> {
  const { openPromise } = await import("yauzl");
  const zip = await openPromise(archive, { autoClose: false, lazyEntries: true }).catch((cause: unknown) => {
    const message = `${archive} is neither a folder nor a .zip archive. Give one of them.`;
    throw new KonteksError("unreadable", message, { facts: { archive }, cause });
  });
  try {
    const entries = [];
    for await (const entry of zip.eachEntry()) if (!entry.fileName.endsWith("/")) entries.push(entry);
    const top = commonFolder(entries.map(({ fileName }) => fileName));
    const { modelFile, files } = chosenFiles(
      entries.map(({ fileName }) => fileName.slice(top.length)),
      archive,
    );
    for (const entry of entries) {
      const path = entry.fileName.slice(top.length);
      if (!files.includes(path)) continue;
      await mkdir(dirname(join(to, path)), { recursive: true });
      await pipeline(await zip.openReadStreamPromise(entry), createWriteStream(join(to, path)));
    }
    return modelFile;
  } finally {
    zip.close();
  }
}

/** "model/" when everything stands in one folder of that name. */
function commonFolder(paths: readonly string[]): string {
  const [first = ""] = paths;
  const top = first.slice(0, first.indexOf("/") + 1);
  return top !== "" && top !== "onnx/" && paths.every((path) => path.startsWith(top)) ? top : "";
}
