import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type OpenEngine, peer, peerVersion } from "./engine.ts";

interface Index {
  addAll(documents: readonly object[]): void;
  search(
    text: string,
    options: { filter?: (result: { group: number }) => boolean },
  ): readonly { readonly id: string }[];
}
interface MiniSearch {
  readonly default: (new (options: object) => Index) & { loadJSON(json: string, options: object): Index };
}

const OPTIONS = { fields: ["title", "body"], storeFields: ["group"] };

export const openEngine: OpenEngine = async (folder, peers) => {
  const { default: MiniSearch } = await peer<MiniSearch>(peers, "minisearch");
  const path = join(folder, "minisearch.json");
  let index: Index;
  return {
    settings: `${peerVersion(peers, "minisearch")}: defaults; in memory, kept as JSON; text only`,
    async build(documents) {
      index = new MiniSearch(OPTIONS);
      for await (const { id, title, group, chunks } of documents) {
        index.addAll(chunks.map((body, ordinal) => ({ id: `${id}#${ordinal}`, title, body, group })));
      }
      writeFileSync(path, JSON.stringify(index));
    },
    async open() {
      index = MiniSearch.loadJSON(readFileSync(path, "utf8"), OPTIONS);
    },
    async text({ text, group }, limit) {
      const options =
        group === undefined ? {} : { filter: (result: { group: number }) => result.group === group };
      return index
        .search(text, options)
        .slice(0, limit)
        .map(({ id }) => id);
    },
    async close() {},
  };
};
