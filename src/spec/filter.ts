import type { MetadataValue } from "./document.ts";

/**
 * Which chunks may be found. `field` is a metadata key, or one of `documentId`, `uri`, `title`, `language`.
 * A list in the metadata matches when one of its members does. A missing field matches nothing but `not`.
 */
export type Filter =
  | { readonly field: string; readonly op: "eq"; readonly value: Exclude<MetadataValue, readonly unknown[]> }
  | { readonly field: string; readonly op: "in"; readonly values: readonly (string | number | boolean)[] }
  | { readonly field: string; readonly op: "lt" | "lte" | "gt" | "gte"; readonly value: number | string }
  | { readonly field: string; readonly op: "prefix"; readonly value: string }
  | { readonly and: readonly Filter[] }
  | { readonly or: readonly Filter[] }
  | { readonly not: Filter };
