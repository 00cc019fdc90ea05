/** Words of a query for engines with a query syntax. */
export function wordsOf(text: string): readonly string[] {
  return [...new Set(text.match(/[\p{L}\p{N}\p{M}]+/gu) ?? [])];
}
