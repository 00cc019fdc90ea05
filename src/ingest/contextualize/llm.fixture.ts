import type { Chunk, ContextKey, Document, StoredContext } from "../../spec/index.ts";

/** A store of contexts alone. */
export function memoryStore() {
  const contexts = new Map<string, StoredContext>();
  const nameOf = ({ documentId, chunkHash, recipe }: ContextKey) => `${documentId}/${chunkHash}/${recipe}`;
  return {
    contexts,
    get: (key: ContextKey) => contexts.get(nameOf(key)),
    put(context: StoredContext) {
      contexts.set(nameOf(context), context);
    },
  };
}

/** A document with a chunk for each text. */
export function documentOf(texts: readonly string[], fields: Partial<Document> = {}) {
  const document: Document = {
    id: "report.md",
    text: `# ACME, Q2 2023\n\n${texts.join("\n\n")}`,
    title: "ACME, Q2 2023",
    uri: "report.md",
    format: "markdown",
    language: "en",
    metadata: {},
    outline: [],
    blocks: [],
    ...fields,
  };
  let from = 0;
  const chunks = texts.map((text, ordinal): Chunk => {
    const start = document.text.indexOf(text, from);
    from = start + text.length;
    const place = { start, end: from, lines: [1, 1] as const, headings: [], tokens: 1 };
    return { id: `${document.id}#${ordinal}`, documentId: document.id, ordinal, text, ...place };
  });
  return { document, chunks };
}

export const numbered = (count: number) =>
  Array.from({ length: count }, (_, index) => `Paragraph number ${index} of it.`);
