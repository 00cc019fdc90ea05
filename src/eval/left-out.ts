/** A file that cannot be read (encrypted, a scan, damaged, of a kind that is not read), with the reason. */
export interface LeftOut {
  readonly id: string;
  readonly reason: string;
}

/** Files that are named; of a long list the first are enough to tell what they are. */
const NAMED = 3;

/** "2 files cannot be read and are left out: a.pdf, b.pdf." */
export function leftOutSentence(ids: readonly string[]): string {
  const named = ids.slice(0, NAMED).join(", ");
  const more = ids.length > NAMED ? `, … (${ids.length - NAMED} more)` : "";
  return `${ids.length === 1 ? "1 file cannot be read and is" : `${ids.length} files cannot be read and are`} left out: ${named}${more}.`;
}

/** Why there is no document of this id: it could not be read, or the file that it is inside of; undefined: neither. */
export function whyLeftOut(id: string, leftOut: readonly LeftOut[]): string | undefined {
  return leftOut.find((file) => file.id === id || id.startsWith(`${file.id}/`))?.reason;
}
