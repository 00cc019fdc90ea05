/** A list from a model's reply: as it is, or as a string of JSON, which models send at times, once or twice over. */
export function listOf(value: unknown): readonly unknown[] {
  if (Array.isArray(value)) return value;
  if (typeof value !== "string") return [];
  const text = value.trim();
  if (!/^["[]/.test(text)) return [];
  try {
    return listOf(JSON.parse(text));
  } catch {
    return [];
  }
}

/** Whole numbers of a list; `"3"` and `"[3]"` count as 3. */
export function numbersIn(value: unknown): readonly number[] {
  const items = typeof value === "number" ? [value] : listOf(value);
  return items.flatMap((item) => {
    const number = Number(typeof item === "string" ? item.replace(/[[\]\s]/g, "") : item);
    return Number.isInteger(number) ? [number] : [];
  });
}
