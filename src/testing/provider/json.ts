/** Reading JSON of unknown shape. */
export type Json = Readonly<Record<string, unknown>>;

export function asObject(value: unknown): Json {
  return typeof value === "object" && value !== null && !Array.isArray(value) ? (value as Json) : {};
}

export function asList(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

export function asText(value: unknown): string | undefined {
  return typeof value === "string" ? value : undefined;
}

export function asNumber(value: unknown): number | undefined {
  return typeof value === "number" ? value : undefined;
}

/** The text of a message's content: a string, or parts with a `text`. */
export function textOfContent(content: unknown): string {
  if (typeof content === "string") return content;
  return asList(content)
    .map((part) => asText(asObject(part).text) ?? "")
    .join("\n");
}

/** Pieces of a text as a stream brings them. */
export function piecesOf(text: string, size = 24): readonly string[] {
  const signs = [...text];
  return Array.from({ length: Math.ceil(signs.length / size) }, (_, index) =>
    signs.slice(index * size, (index + 1) * size).join(""),
  );
}

export function parsedOr(text: string, otherwise: unknown): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return otherwise;
  }
}
