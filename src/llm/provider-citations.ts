/** Words that a provider says a place of its text rests on. */
export interface ProviderCitation {
  /** Offset in the reply's text, behind what is cited for. */
  readonly at: number;
  readonly words: string;
}

/** A part of a reply, as the AI SDK gives it. */
export interface CitingPart {
  readonly type: string;
  readonly text?: string;
  readonly providerMetadata?: Readonly<Record<string, Readonly<Record<string, unknown>>>> | undefined;
}

/** Anthropic, "Citations": a piece of text, then what it cites. The SDK hands the words on in the provider's metadata. */
export function cited(content: readonly object[]): { readonly citations?: readonly ProviderCitation[] } {
  const citations: ProviderCitation[] = [];
  let at = 0;
  for (const part of content as readonly CitingPart[]) {
    if (part.type === "text") at += part.text?.length ?? 0;
    if (part.type !== "source") continue;
    const words = Object.values(part.providerMetadata ?? {}).map(({ citedText }) => citedText);
    for (const one of words) if (typeof one === "string") citations.push({ at, words: one });
  }
  return citations.length > 0 ? { citations } : {};
}
