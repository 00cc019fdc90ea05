import type { Filter, Metadata, MetadataValue } from "../../spec/index.ts";

/** What a filter can ask of a document. */
export interface DocumentFacts {
  readonly documentId: string;
  readonly uri: string;
  readonly title: string;
  readonly language: string | undefined;
  readonly metadata: Metadata;
}

export type Scalar = string | number | boolean | null;
export type Leaf = Extract<Filter, { readonly field: string }>;

/**
 * What a document holds in a field: nothing, one value, or the members of a list. `documentId`, `uri`, `title` and
 * `language` name the document's own facts, also where the metadata has such a key.
 */
export function valuesOf(field: string, facts: DocumentFacts): readonly Scalar[] {
  const value = fieldValue(field, facts);
  if (value === undefined) return [];
  return Array.isArray(value) ? value : [value as Scalar];
}

/** Whether a value passes. Values of different types never match; strings compare by code units. */
export function testOf(leaf: Leaf): (value: Scalar) => boolean {
  switch (leaf.op) {
    case "eq":
      return (value) => value === leaf.value;
    case "in":
      return (value) => value !== null && leaf.values.includes(value);
    case "prefix":
      return (value) => typeof value === "string" && value.startsWith(leaf.value);
    case "lt":
      return (value) => comparable(value, leaf.value) && value < leaf.value;
    case "lte":
      return (value) => comparable(value, leaf.value) && value <= leaf.value;
    case "gt":
      return (value) => comparable(value, leaf.value) && value > leaf.value;
    case "gte":
      return (value) => comparable(value, leaf.value) && value >= leaf.value;
  }
}

function comparable(value: Scalar, bound: string | number): value is string | number {
  return typeof value === typeof bound;
}

function fieldValue(field: string, facts: DocumentFacts): MetadataValue | undefined {
  switch (field) {
    case "documentId":
    case "uri":
    case "title":
    case "language":
      return facts[field];
    default:
      return Object.hasOwn(facts.metadata, field) ? facts.metadata[field] : undefined;
  }
}
