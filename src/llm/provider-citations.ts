/** Words that a provider says a place of its text rests on. */
export interface ProviderCitation {
  /** Offset in the reply's text, behind what is cited for. */
  readonly at: number;
  readonly words: string;
  /** Place of the document among those that were sent as such, from 0. */
  readonly document?: number;
}

/** A part of a reply, as the AI SDK gives it. */
export interface CitingPart {
  readonly type: string;
  readonly text?: string;
  readonly sourceType?: string;
  readonly providerMetadata?: Readonly<Record<string, Readonly<Record<string, unknown>>>> | undefined;
}

/**
 * Anthropic, "Citations": a piece of text, then what it cites. The SDK hands the words on as a source of its own, and as the
 * provider wrote it, with the number of the document, in the metadata of the text.
 */
export function cited(content: readonly object[]): { readonly citations?: readonly ProviderCitation[] } {
  const citations: ProviderCitation[] = [];
  let at = 0;
  const parts = content as readonly CitingPart[];
  const numbered = parts.some((part) => part.type === "text" && numberedIn(part).length > 0);
  for (const part of parts) {
    if (part.type === "text") at += part.text?.length ?? 0;
    if (part.type === "text") citations.push(...numberedIn(part).map((one) => ({ at, ...one })));
    if (part.type === "source" && !(numbered && part.sourceType === "document"))
      citations.push(...wordsOf(part).map((words) => ({ at, words })));
  }
  return citations.length > 0 ? { citations } : {};
}

function wordsOf({ providerMetadata = {} }: CitingPart): readonly string[] {
  return Object.values(providerMetadata).flatMap(({ citedText }) =>
    typeof citedText === "string" ? [citedText] : [],
  );
}

function numberedIn({ providerMetadata = {} }: CitingPart): readonly Omit<ProviderCitation, "at">[] {
  return Object.values(providerMetadata).flatMap(({ citations }) =>
    (Array.isArray(citations) ? citations : []).flatMap((one: Readonly<Record<string, unknown>>) =>
      typeof one.cited_text === "string" && typeof one.document_index === "number"
        ? [{ words: one.cited_text, document: one.document_index }]
        : [],
    ),
  );
}
