/** The sum in US dollars; undefined as soon as one part is not known. */
export function sumKnown(parts: readonly (number | undefined)[]): number | undefined {
  return parts.reduce((sum, part) => (sum === undefined || part === undefined ? undefined : sum + part), 0);
}
