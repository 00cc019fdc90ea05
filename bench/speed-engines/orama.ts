import { type OpenEngine, peer, peerVersion, type SpeedQuery } from "./engine.ts";

interface Orama {
  create(options: object): object;
  insertMultiple(db: object, documents: readonly object[], batch: number): Promise<unknown>;
  search(
    db: object,
    query: object,
  ): Promise<{ readonly hits: readonly { readonly document: { readonly key: string } }[] }>;
}

export const openEngine: OpenEngine = async (_, peers) => {
  const orama = await peer<Orama>(peers, "@orama/orama");
  let db: object = {};
  const search = async (query: object, { group }: SpeedQuery) => {
    const where = group === undefined ? {} : { where: { group: { eq: group } } };
    const { hits } = await orama.search(db, { ...query, ...where });
    return hits.map(({ document }) => document.key);
  };
  return {
    settings: `${peerVersion(peers, "@orama/orama")}: defaults, threshold 1 (any word); in memory only, so opening is building`,
    async build(documents) {
      for await (const { id, title, group, chunks, vectors } of documents) {
        if (Object.keys(db).length === 0) {
          const size = vectors[0]?.length ?? 0;
          const schema = {
            key: "string",
            title: "string",
            body: "string",
            group: "number",
            v: `vector[${size}]`,
          };
          db = orama.create({ schema });
        }
        const rows = chunks.map((body, ordinal) => ({
          key: `${id}#${ordinal}`,
          title,
          body,
          group,
          v: [...(vectors[ordinal] ?? [])],
        }));
        await orama.insertMultiple(db, rows, 500);
      }
    },
    async open() {},
    text: (query, limit) =>
      search({ term: query.text, properties: ["title", "body"], limit, threshold: 1 }, query),
    vector: (query, limit) =>
      search({ mode: "vector", vector: { value: query.vector, property: "v" }, similarity: 0, limit }, query),
    async close() {},
  };
};
