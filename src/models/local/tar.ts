import { createReadStream } from "node:fs";
import { open } from "node:fs/promises";
import { Readable } from "node:stream";
import { createGunzip } from "node:zlib";
import type { Archive } from "./archive.ts";

/** Opens a .tar or .tar.gz, which is read anew each time its files are gone through. */
export async function openTar(path: string): Promise<Archive> {
  const zipped = await isGzip(path);
  return {
    async *files() {
      const { createTarDecoder } = await import("modern-tar");
      const file = createReadStream(path);
      const bytes = zipped ? file.pipe(createGunzip()) : file;
      // `pipe` passes no error on.
      file.on("error", (error) => bytes.destroy(error));
      const decoded = Readable.toWeb(bytes).pipeThrough(createTarDecoder({ strict: true }));
      for await (const { header, body } of decoded) {
        const isFile = header.type === undefined || header.type === "file";
        let taken = false;
        const content = async () => {
          taken = true;
          return Readable.fromWeb(body);
        };
        if (isFile) yield { path: header.name.replace(/^\.\//, ""), content };
        if (!taken) await body.cancel();
      }
    },
    close: () => {},
  };
}

async function isGzip(path: string): Promise<boolean> {
  const file = await open(path);
  try {
    const { buffer } = await file.read(Buffer.alloc(2), 0, 2, 0);
    return buffer[0] === 0x1f && buffer[1] === 0x8b;
  } finally {
    await file.close();
  }
}
