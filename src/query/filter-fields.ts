import type { Filter, Store } from "../spec/index.ts";

/** Fields that every document has. */
const BUILT_IN = ["documentId", "uri", "title", "language"];

/** Says which fields of a filter no document has: that is why it lets nothing through, and mostly a slip of the pen. */
export async function unknownFields(store: Store, filter: Filter): Promise<string | undefined> {
  const documents = await store.listDocuments();
  const known = new Set(documents.flatMap(({ metadata }) => Object.keys(metadata)));
  const unknown = [...new Set(fieldsOf(filter))].filter(
    (field) => !known.has(field) && !BUILT_IN.includes(field),
  );
  if (unknown.length === 0) return undefined;
  const names = unknown.map((field) => `"${field}"`).join(", ");
  const there = [...known].toSorted();
  const list = there.length === 0 ? "no metadata at all" : there.slice(0, 20).join(", ");
  return `filter: no document has the field ${names}; there is ${list}`;
}

function fieldsOf(filter: Filter): readonly string[] {
  if ("and" in filter) return filter.and.flatMap(fieldsOf);
  if ("or" in filter) return filter.or.flatMap(fieldsOf);
  return "not" in filter ? fieldsOf(filter.not) : [filter.field];
}
