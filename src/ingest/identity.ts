import { type IndexIdentity, KonteksError } from "../spec/index.ts";
import type { IngestParts } from "./parts.ts";

/** An identity differs from the index's: names both sides and the way out. Dimensions that are not known yet agree with all. */
export function checkIdentity(index: IndexIdentity, asked: IndexIdentity): void {
  const keys = ["chunker", "contextualizer", "analyzer", "embedding", "dimensions"] as const;
  const differing = keys.filter(
    (key) => index[key] !== asked[key] && !(key === "dimensions" && unknown(index, asked)),
  );
  if (differing.length === 0) return;
  const sides = differing.map((key) => `${key}: the index has "${index[key]}", asked for is "${asked[key]}"`);
  throw new KonteksError(
    "identity-mismatch",
    `The index was made with other settings (${sides.join("; ")}). ` +
      "Leave the setting out to use the index's own, or make the index anew with --rebuild (library: rebuild: true).",
    { facts: { index, asked, differing } },
  );
}

function unknown(index: IndexIdentity, asked: IndexIdentity): boolean {
  return index.dimensions === 0 || asked.dimensions === 0;
}

/**
 * Saves identity and settings with the first document that is written, and again when the first vector tells the
 * dimensions. Calls follow one another, so that two documents in work do not save at once.
 */
export function identitySaver(parts: IngestParts): (dimensions: number) => Promise<void> {
  let saved = -1;
  let last: Promise<void> = Promise.resolve();
  const save = async (dimensions: number) => {
    if (saved >= dimensions) return;
    const known = (await parts.store.readIdentity())?.dimensions ?? 0;
    if (dimensions > 0 && known > 0 && known !== dimensions) throw dimensionError(parts, known, dimensions);
    await parts.store.writeIdentity({ ...parts.identity, dimensions: dimensions || known });
    await parts.saveSettings();
    saved = dimensions;
  };
  return (dimensions) => {
    // One document's refusal is not the next one's.
    last = last.catch(() => {}).then(() => save(dimensions));
    return last;
  };
}

function dimensionError({ identity }: IngestParts, known: number, dimensions: number): KonteksError {
  const facts = { index: known, asked: dimensions };
  const sides = `The vectors of the index have ${known} dimensions, the new ones ${dimensions}.`;
  if (identity.embedding === "given") {
    return new KonteksError("wrong-option", `${sides} Give vectors of ${known} numbers.`, { facts });
  }
  return new KonteksError(
    "identity-mismatch",
    `${sides} Use the model that the index was made with, or make the index anew with --rebuild (library: rebuild: true).`,
    { facts },
  );
}
