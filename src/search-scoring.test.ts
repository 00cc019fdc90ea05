import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it } from "vitest";
import { openKonteks } from "./open.ts";
import type { DocumentInput } from "./spec/index.ts";

/** With a context of its own: a chunk without one stands alone, without its title. */
function situated(document: DocumentInput): DocumentInput {
  return { ...document, chunks: [{ start: 0, end: document.text.length, context: "Part of a book." }] };
}

it("scores text as a search asks, and only that search", async () => {
  const path = await mkdtemp(join(tmpdir(), "konteks-scoring-"));
  const kb = await openKonteks({ path, embedding: "none", context: "none" });
  try {
    const filler = "Nothing of interest stands here. ".repeat(6);
    await kb.ingest([
      situated({ id: "titled", title: "Quokka", text: `${filler}The end.` }),
      situated({ id: "told", title: "Animals", text: `${filler}A quokka lives on an island.` }),
    ]);
    const first = async (title: number | undefined) => {
      const bm25 = title === undefined ? {} : { bm25: { fields: { title: { weight: title } } } };
      const { hits } = await kb.search("quokka", { mode: "text", ...bm25 });
      return hits.map(({ documentId }) => documentId);
    };
    expect(await first(20)).toEqual(["titled", "told"]);
    // A field of weight 0 is not searched; the others keep the weights of the index.
    expect(await first(0)).toEqual(["told"]);
    expect(await first(undefined)).toContain("titled");
  } finally {
    await kb.close();
    await rm(path, { recursive: true });
  }
});
