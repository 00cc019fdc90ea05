import type { DocumentSummary, Filter, MetadataValue, Store } from "../spec/index.ts";

type Leaf = Exclude<Filter, { readonly and: unknown } | { readonly or: unknown } | { readonly not: unknown }>;

/** Fields that every document has. */
const BUILT_IN = ["documentId", "uri", "title", "language"];
/** More values of a field than a line holds are not listed. */
const MOST_LISTED = 20;

/**
 * Says which fields of a filter no document has, else which values none has: that is why it lets nothing through, and
 * mostly a slip of the pen.
 */
export async function filterMismatch(store: Store, filter: Filter): Promise<string | undefined> {
  const documents = await store.listDocuments();
  const leaves = leavesOf(filter);
  return unknownFields(documents, leaves) ?? unknownValue(documents, leaves);
}

function unknownFields(documents: readonly DocumentSummary[], leaves: readonly Leaf[]): string | undefined {
  const known = new Set(documents.flatMap(({ metadata }) => Object.keys(metadata)));
  const unknown = [...new Set(leaves.map(({ field }) => field))].filter(
    (field) => !known.has(field) && !BUILT_IN.includes(field),
  );
  if (unknown.length === 0) return undefined;
  const names = unknown.map((field) => `"${field}"`).join(", ");
  const there = known.size === 0 ? "no metadata at all" : listed(known);
  return `filter: no document has the field ${names}; there is ${there}`;
}

function unknownValue(documents: readonly DocumentSummary[], leaves: readonly Leaf[]): string | undefined {
  for (const leaf of leaves) {
    const asked = askedValues(leaf);
    if (asked.length === 0 || BUILT_IN.includes(leaf.field)) continue;
    const values = new Set(documents.flatMap(({ metadata }) => valuesOf(metadata[leaf.field])));
    if (asked.some((value) => values.has(value))) continue;
    const wanted = asked.map((value) => JSON.stringify(value)).join(" or ");
    return `filter: no document has ${wanted} as ${leaf.field}; there is ${listed(values, JSON.stringify)}`;
  }
  return undefined;
}

function askedValues(leaf: Leaf): readonly unknown[] {
  if (leaf.op === "eq") return [leaf.value];
  return leaf.op === "in" ? leaf.values : [];
}

function valuesOf(value: MetadataValue | undefined): readonly unknown[] {
  return value === undefined ? [] : Array.isArray(value) ? value : [value];
}

function listed(values: ReadonlySet<unknown>, shown: (value: unknown) => string = String): string {
  const texts = [...values].map(shown).toSorted();
  const rest = texts.length - MOST_LISTED;
  return texts.slice(0, MOST_LISTED).join(", ") + (rest > 0 ? ` and ${rest} more` : "");
}

function leavesOf(filter: Filter): readonly Leaf[] {
  if ("and" in filter) return filter.and.flatMap(leavesOf);
  if ("or" in filter) return filter.or.flatMap(leavesOf);
  return "not" in filter ? leavesOf(filter.not) : [filter];
}
