import type { Span, Store, StoredChunk } from "../spec/index.ts";

/** What should have been found, in the index. */
export type Expected =
  | { readonly kind: "no-document"; readonly name: string; readonly reason: string }
  /** Chunks that hold the passage, those that hold all of it first; `reason` says what is odd about them, or nothing. */
  | { readonly kind: "passage"; readonly chunks: readonly StoredChunk[]; readonly reason: string };

/** Finds the expected passage: a chunk id, `document:line`, `document#quote`, a document, or words that stand somewhere. */
export async function locate(store: Store, expect: string): Promise<Expected> {
  const [chunk] = await store.getChunks([expect]);
  if (chunk) return { kind: "passage", chunks: [chunk], reason: "" };
  const within = await quotedWithin(store, expect.trim());
  if (within) return within;
  const place = /^(.*?):(\d+)(?:-\d+)?$/.exec(expect.trim());
  const named = await documentNamed(store, place?.[1] ?? expect.trim());
  if (named !== undefined) {
    const line = place ? Number(place[2]) : undefined;
    return line === undefined ? wholeDocument(store, named) : atLine(store, named, line);
  }
  if (place || /^[^\s]+\.\w{1,5}(?:#\d+)?$/.test(expect.trim()))
    return missingDocument(store, place?.[1] ?? expect);
  return quoted(store, expect);
}

async function documentNamed(store: Store, name: string): Promise<string | undefined> {
  const plain = name.replaceAll("\\", "/").replace(/^\.\//, "");
  const documents = await store.listDocuments();
  const same = documents.find(({ id, uri }) => id === plain || uri === name);
  const ending = documents.filter(
    ({ id, uri }) => id.endsWith(`/${plain}`) || plain.endsWith(`/${id}`) || uri.endsWith(`/${plain}`),
  );
  return same?.id ?? (ending.length === 1 ? ending[0]?.id : undefined);
}

async function missingDocument(store: Store, name: string): Promise<Expected> {
  const documents = await store.listDocuments();
  const file = name.replace(/#\d+$/, "").split(/[\\/]/).at(-1) ?? name;
  const near = documents.filter(({ id }) => id.split("/").at(-1) === file).map(({ id }) => id);
  const hint = near.length > 0 ? ` There is ${near.slice(0, 3).join(", ")}.` : "";
  return {
    kind: "no-document",
    name,
    reason: `There is no document "${name}" among the ${documents.length} of the index.${hint}`,
  };
}

async function wholeDocument(store: Store, id: string): Promise<Expected> {
  const chunks = await store.chunksOf(id);
  const reason = chunks.length === 0 ? `The document "${id}" has no chunks: there is no text in it.` : "";
  return { kind: "passage", chunks, reason };
}

async function atLine(store: Store, id: string, line: number): Promise<Expected> {
  const chunks = await store.chunksOf(id);
  const holding = chunks.filter(({ chunk }) => chunk.lines[0] <= line && line <= chunk.lines[1]);
  const last = Math.max(0, ...chunks.map(({ chunk }) => chunk.lines[1]));
  const reason =
    holding.length > 0
      ? ""
      : `Line ${line} of "${id}" is in no chunk (they end at line ${last}): it is blank, or metadata such as front matter.`;
  return { kind: "passage", chunks: holding, reason };
}

/** `file#quote`: words of a document that is named; undefined where none is. */
async function quotedWithin(store: Store, expect: string): Promise<Expected | undefined> {
  for (let at = expect.indexOf("#"); at > 0; at = expect.indexOf("#", at + 1)) {
    const quote = expect.slice(at + 1).trim();
    const id = quote === "" ? undefined : await documentNamed(store, expect.slice(0, at));
    if (id === undefined) continue;
    const reason = `The document "${id}" is in the index, but these words do not stand in it, as it was read: "${quote}". Look at it with \`konteks show ${id}\`.`;
    return (await quoteIn(store, id, quote)) ?? { kind: "passage", chunks: [], reason };
  }
  return undefined;
}

/** White space counts as one blank, upper and lower case and the form of quotation marks do not count. */
async function quoted(store: Store, quote: string): Promise<Expected> {
  for (const { id } of await store.listDocuments()) {
    const found = await quoteIn(store, id, quote);
    if (found) return found;
  }
  return {
    kind: "no-document",
    name: quote,
    reason: "No document of the index holds these words, as they were read. Look at one with `konteks show`.",
  };
}

async function quoteIn(store: Store, id: string, quote: string): Promise<Expected | undefined> {
  const text = (await store.getDocument(id))?.document.text ?? "";
  const match = patternOf(quote).exec(text);
  if (!match) return undefined;
  return holding(await store.chunksOf(id), id, { start: match.index, end: match.index + match[0].length });
}

function patternOf(quote: string): RegExp {
  const words = quote
    .trim()
    .split(/\s+/)
    .map((word) => word.replace(/[.*+?^${}()|[\]\\]/g, "\\$&"));
  const marks = words.map((word) => word.replace(/["“”„«»]/g, '["“”„«»]').replace(/['’‘]/g, "['’‘]"));
  return new RegExp(marks.join("\\s+"), "iu");
}

function holding(chunks: readonly StoredChunk[], id: string, span: Span): Expected {
  const touching = chunks.filter(({ chunk }) => chunk.start < span.end && chunk.end > span.start);
  const whole = touching.filter(({ chunk }) => chunk.start <= span.start && chunk.end >= span.end);
  if (whole.length > 0) return { kind: "passage", chunks: whole, reason: "" };
  if (touching.length === 0)
    return {
      kind: "passage",
      chunks: [],
      reason: `"${id}" holds it, but in no chunk: it is metadata such as front matter.`,
    };
  const names = touching.map(({ chunk }) => chunk.id).join(", ");
  return {
    kind: "passage",
    chunks: touching,
    reason: `It is cut across ${names}; no chunk holds all of it.`,
  };
}
