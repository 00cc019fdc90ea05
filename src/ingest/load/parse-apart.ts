import { formatOfName } from "./kinds.ts";
import { parseBytes } from "./parse.ts";
import { sniff } from "./sniff.ts";
import type { FoundFile, LoadOptions, Parsed } from "./types.ts";

/** Text below this size is read faster than it is handed over. */
const smallText = 256 * 1024;
/** What is only split into lines is quick, but a very long text fills the memory all the same. */
const smallLines = 2 * 1024 * 1024;

/**
 * Reads a file in a process of its own where its format is risky: a PDF or office file of any size, large texts.
 * Small ones are read at once.
 */
export async function parseApart(bytes: Uint8Array, file: FoundFile, options: LoadOptions): Promise<Parsed> {
  if (options.apart === false || !isRisky(bytes, file)) return parseBytes(bytes, file, options);
  const { canRunApart, runApart } = await import("./processes.ts");
  return canRunApart ? runApart(bytes, file, options) : parseBytes(bytes, file, options);
}

function isRisky(bytes: Uint8Array, { id, format }: FoundFile): boolean {
  const sniffed = sniff(bytes);
  if (sniffed !== undefined) return "format" in sniffed;
  const isLines = /^(text|code|csv|json)$/.test(format ?? formatOfName(id) ?? "");
  return bytes.length > (isLines ? smallLines : smallText);
}
