import { inflateSync } from "node:zlib";
import { KonteksError } from "../../spec/index.ts";
import type { FoundFile } from "./types.ts";

/** Bytes that a stream may unpack to; a page of text has a thousandth of it. */
const mostUnpacked = 256 * 1024 * 1024;
/** Packed streams below this cannot unpack beyond the limit: deflate packs a thousandfold at most. */
const leastPacked = mostUnpacked / 1100;

/**
 * Refuses a PDF whose streams unpack beyond any use: the PDF library sets no limit, and its memory is not that of the
 * process it runs in. Pictures are left out, which are not unpacked for their text.
 *
 * @throws KonteksError "unreadable"
 */
export function checkStreams(bytes: Uint8Array, file: FoundFile): void {
  const data = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  for (let at = data.indexOf(keyword); at >= 0; at = data.indexOf(keyword, at + 1)) {
    const before = data.toString("latin1", Math.max(0, at - 4000), at);
    const dictionary = before.slice(Math.max(0, before.lastIndexOf("obj")));
    const layers = dictionary.match(/\/(?:FlateDecode|Fl)\b/g)?.length ?? 0;
    if (layers === 0 || before.endsWith("end") || /\/Subtype\s*\/Image/.test(dictionary)) continue;
    const start = at + keyword.length + (data[at + keyword.length] === 13 ? 2 : 1);
    const end = data.indexOf("endstream", start);
    const packed = data.subarray(start, end < 0 ? data.length : end);
    if ((packed.length >= leastPacked || layers > 1) && isTooLarge(packed, layers)) throw tooLarge(file);
    if (end < 0) return;
    at = end;
  }
}

const keyword = "stream";

function isTooLarge(packed: Uint8Array, layers: number): boolean {
  let unpacked = packed;
  try {
    for (let layer = 0; layer < layers; layer++)
      unpacked = inflateSync(unpacked, { maxOutputLength: mostUnpacked });
    return false;
  } catch (error) {
    // Damaged or encrypted streams are the library's to tell.
    return error instanceof Error && "code" in error && error.code === "ERR_BUFFER_TOO_LARGE";
  }
}

function tooLarge(file: FoundFile): KonteksError {
  return new KonteksError(
    "unreadable",
    `"${file.id}" holds a stream that unpacks to more than ${mostUnpacked / 1024 / 1024} MiB, which no text needs. Open it in a viewer and print what you need of it to a new file.`,
    { facts: { path: file.path } },
  );
}
