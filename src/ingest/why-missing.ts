import { existsSync } from "node:fs";
import { isKonteksError } from "../spec/index.ts";
import { ignoredBy } from "./load/ignored-by.ts";
import { openSource } from "./source.ts";

/** Why a file is not in an index, as far as reading it anew tells; undefined when there is no such file. */
export async function whyMissing(name: string): Promise<string | undefined> {
  if (name.includes("\n") || !existsSync(name)) return undefined;
  try {
    const { documents } = await openSource(name);
    if (documents.length === 0) return `"${name}" exists, but it holds nothing that is read.`;
    for (const document of documents) await (await document.open()).read();
    const rule = await ignoredBy(name);
    const reason = rule === undefined ? "it was not ingested since it is there" : `${rule} leaves it out`;
    return `"${name}" can be read, but is not in the index: ${reason}. Ingest it by its name: konteks ingest "${name}".`;
  } catch (error) {
    if (!isKonteksError(error)) throw error;
    return `"${name}" is not in the index, since it cannot be read: ${error.message}`;
  }
}
