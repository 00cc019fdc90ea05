import { createHash } from "node:crypto";

/** SHA-256 in hexadecimal, of UTF-8 text or bytes. */
export function sha256(data: string | Uint8Array): string {
  return createHash("sha256").update(data).digest("hex");
}

/** A name for a list of values: equal lists, equal name. Parts are told apart by their length, so ["a","b"] is not ["ab"]. */
export function fingerprint(parts: readonly string[]): string {
  return sha256(parts.map((part) => `${part.length}:${part}`).join("")).slice(0, 32);
}
