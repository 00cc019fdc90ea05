import { loadFile } from "./load.ts";
import type { LoadOptions } from "./types.ts";

/** Loads content as the file of that name. For tests. */
export async function loadOne(id: string, content: string | Uint8Array, options: LoadOptions = {}) {
  const bytes = typeof content === "string" ? new TextEncoder().encode(content) : content;
  const file = { id, path: `/files/${id}`, size: bytes.length };
  return (await loadFile(file, { ...options, bytes })).document;
}

/** The text of each block with its kind, to compare with what is meant. For tests. */
export function shown({ text, blocks }: Awaited<ReturnType<typeof loadOne>>): readonly string[] {
  return blocks.map(({ kind, start, end }) => `${kind}: ${text.slice(start, end)}`);
}
