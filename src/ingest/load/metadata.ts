import { KonteksError, type Metadata, type MetadataValue } from "../../spec/index.ts";

/**
 * Metadata as the caller gave it, checked: a value is a text, a finite number, true, false, null, or a list of texts or of
 * numbers.
 *
 * @throws KonteksError "wrong-option", naming the key
 */
export function checkMetadata(metadata: unknown, documentId: string): Metadata {
  if (metadata === undefined) return {};
  if (typeof metadata !== "object" || metadata === null || Array.isArray(metadata)) {
    throw new KonteksError(
      "wrong-option",
      `The metadata of "${documentId}" is ${kindOf(metadata)}. Give an object of keys and values.`,
      { facts: { documentId } },
    );
  }
  for (const [key, value] of Object.entries(metadata)) checkValue(key, value, documentId);
  return { ...metadata };
}

function checkValue(key: string, value: unknown, documentId: string): asserts value is MetadataValue {
  if (key !== "" && (isScalar(value) || isList(value))) return;
  const what = key === "" ? "an empty key" : `${kindOf(value)} at the key "${key}"`;
  throw new KonteksError(
    "wrong-option",
    `The metadata of "${documentId}" has ${what}. Give a text, a number, true, false, null, or a list of texts or of numbers; write dates as ISO texts and nested values as "a.b" keys.`,
    { facts: { documentId, key } },
  );
}

function isScalar(value: unknown): boolean {
  return value === null || typeof value === "string" || typeof value === "boolean" || Number.isFinite(value);
}

function isList(value: unknown): boolean {
  if (!Array.isArray(value)) return false;
  return (
    value.every((member) => typeof member === "string") || value.every((member) => Number.isFinite(member))
  );
}

function kindOf(value: unknown): string {
  if (value === undefined) return "undefined";
  if (value === null) return "null";
  if (value instanceof Date) return "a Date";
  if (Array.isArray(value)) return "a list of other or mixed values";
  if (typeof value === "number") return `the number ${value}`;
  return typeof value === "object" ? "an object" : `a ${typeof value}`;
}
